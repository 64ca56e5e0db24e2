// Powers of ten, made once.

const BIG_POWERS: readonly bigint[] = Array.from({ length: 39 }, (_, exponent) => 10n ** BigInt(exponent));

/** The last power of ten that a double holds exactly. */
export const MAX_EXACT_POWER = 22;
const NUMBER_POWERS: readonly number[] = Array.from({ length: MAX_EXACT_POWER + 1 }, (_, exponent) =>
  Number(10n ** BigInt(exponent)),
);

/** 10^exponent, fast up to the 38 digits of a decimal. */
export function bigPower(exponent: number): bigint {
  return BIG_POWERS[exponent] ?? 10n ** BigInt(exponent);
}

/** 10^exponent up to `MAX_EXACT_POWER`. */
export function exactPower(exponent: number): number {
  return NUMBER_POWERS[exponent] ?? Number.NaN;
}
