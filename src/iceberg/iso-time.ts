// Dates, times and timestamps between ISO 8601 text and the numbers that the format stores: days, and micro- or
// nanoseconds from 1970. Proleptic Gregorian calendar, no clock, no time zone data.

/** Digits after the second: 6 for microseconds, 9 for nanoseconds. */
export type FractionDigits = 6 | 9;

const SECONDS_A_DAY = 86_400n;
const DAYS_IN_400_YEARS = 146_097;
/** Days from 0000-03-01 to 1970-01-01: the calendar arithmetic counts years from March. */
const EPOCH_SHIFT = 719_468;
const MAX_INT = 2_147_483_647;
const MAX_LONG = 2n ** 63n - 1n;

const DATE = /^([+-]\d{4,9}|\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;
const OFFSET = /^(?:([+-])(\d{2}):(\d{2})|Z)$/;

/** Days from 1970-01-01; null when the text is no date of the calendar. */
export function parseIsoDate(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  const days = daysFromCivil(year, month, day);
  return days >= -MAX_INT - 1 && days <= MAX_INT ? days : null;
}

/** Units from midnight; null when it is no time or has more digits than the type holds. */
export function parseIsoTime(text: string, digits: FractionDigits): bigint | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  const fraction = (match[4] ?? "").padEnd(9, "0");
  if (hour > 23 || minute > 59 || second > 59 || /[1-9]/.test(fraction.slice(digits))) return null;
  return BigInt(hour * 3600 + minute * 60 + second) * unitsASecond(digits) + BigInt(fraction.slice(0, digits));
}

/** Units from 1970-01-01T00:00 of a local date and time, with `T` or one blank between them. */
export function parseIsoTimestamp(text: string, digits: FractionDigits): bigint | null {
  const split = text.search(/[T ]/);
  if (split < 0) return null;
  const days = parseIsoDate(text.slice(0, split));
  const time = parseIsoTime(text.slice(split + 1), digits);
  if (days === null || time === null) return null;
  return inLong(BigInt(days) * SECONDS_A_DAY * unitsASecond(digits) + time);
}

/** As `parseIsoTimestamp` with an offset at the end, `Z` or `±hh:mm`; the result is in UTC. */
export function parseIsoTimestampWithOffset(text: string, digits: FractionDigits): bigint | null {
  const start = text.endsWith("Z") ? text.length - 1 : text.length - 6;
  const match = OFFSET.exec(text.slice(Math.max(start, 0)));
  const local = parseIsoTimestamp(text.slice(0, Math.max(start, 0)), digits);
  if (match === null || local === null) return null;
  const [hours, minutes] = [Number(match[2] ?? 0), Number(match[3] ?? 0)];
  if (hours > 18 || minutes > 59) return null;
  const offset = BigInt(hours * 3600 + minutes * 60) * unitsASecond(digits);
  return inLong(match[1] === "-" ? local + offset : local - offset);
}

export function formatIsoDate(days: number): string {
  const { year, month, day } = civilFromDays(days);
  return `${formatYear(year)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** The calendar date of a day; months and days count from 1. */
export function civilFromDays(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + EPOCH_SHIFT;
  const cycle = Math.floor(shifted / DAYS_IN_400_YEARS);
  const dayOfCycle = shifted - cycle * DAYS_IN_400_YEARS;
  const yearOfCycle = Math.floor(
    (dayOfCycle - Math.floor(dayOfCycle / 1460) + Math.floor(dayOfCycle / 36524) - Math.floor(dayOfCycle / 146096)) / 365,
  );
  const dayOfYear = dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** All digits of the unit are written: readers differ in what shorter fractions they take. */
export function formatIsoTime(value: bigint, digits: FractionDigits): string {
  const unit = unitsASecond(digits);
  const seconds = Number(value / unit);
  const time = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return `${time}.${(value % unit).toString().padStart(digits, "0")}`;
}

export function formatIsoTimestamp(value: bigint, digits: FractionDigits): string {
  const unitsADay = SECONDS_A_DAY * unitsASecond(digits);
  const days = floorDivide(value, unitsADay);
  return `${formatIsoDate(Number(days))}T${formatIsoTime(value - days * unitsADay, digits)}`;
}

function unitsASecond(digits: FractionDigits): bigint {
  return digits === 6 ? 1_000_000n : 1_000_000_000n;
}

/** `2026-08-20T05:36:05.570Z`; the number itself where no calendar reaches. */
export function formatInstant(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? `${milliseconds} ms` : date.toISOString();
}

/** Division that rounds down, below zero too. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(marchYear / 400);
  const yearOfCycle = marchYear - cycle * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfCycle = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * DAYS_IN_400_YEARS + dayOfCycle - EPOCH_SHIFT;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function formatYear(year: number): string {
  if (year >= 0 && year <= 9999) return pad(year, 4);
  return `${year < 0 ? "-" : "+"}${pad(Math.abs(year), 4)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function inLong(value: bigint): bigint | null {
  return value >= -MAX_LONG - 1n && value <= MAX_LONG ? value : null;
}
