// Runs of ASCII digits as numbers. The caller has checked that there is nothing but digits.
import { bigPower } from "./powers.ts";

export const ZERO = 0x30;
export const PLUS = 0x2b;
export const MINUS = 0x2d;
export const POINT = 0x2e;

/** 15 digits always fit a double without loss. */
export const SAFE_DIGITS = 15;

export function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39;
}

/** Where the digits that start at `start` end. */
export function endOfDigits(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  while (index < end && isDigit(bytes[index])) index++;
  return index;
}

/** The first digit that is no leading zero, or `end`. */
export function skipZeros(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  while (index < end && bytes[index] === ZERO) index++;
  return index;
}

/** Up to 15 digits. */
export function smallNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) value = value * 10 + ((bytes[index] ?? ZERO) - ZERO);
  return value;
}

/** Any number of digits, in strides; for more than a few strides the caller has ruled out long texts. */
export function bigNumber(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n;
  for (let index = start; index < end; ) {
    const stride = Math.min(end, index + SAFE_DIGITS);
    const part = BigInt(smallNumber(bytes, index, stride));
    value = index === start ? part : value * bigPower(stride - index) + part;
    index = stride;
  }
  return value;
}
