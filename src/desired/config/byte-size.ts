// Sizes as people write them, `200GiB`, in bytes. Text only.

const UNITS: Readonly<Record<string, number>> = { "": 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** Whole bytes, rounded down, or null for text that is no size. */
export function parseByteSize(text: string): number | null {
  const match = /^([0-9]{1,15}(?:\.[0-9]{1,6})?) ?(B|KiB|MiB|GiB|TiB)?$/.exec(text);
  const unit = UNITS[match?.[2] ?? ""];
  if (match === null || unit === undefined) return null;
  const bytes = Math.floor(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
