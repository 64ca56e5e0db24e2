// Numbers for people, the same in every plan: bytes in binary units, counts shortened. Pure.

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** `1.9 GiB`, `48 GiB`, `820 B`. */
export function formatBytes(bytes: bigint | number): string {
  let value = Number(bytes);
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${shortNumber(value)} ${BYTE_UNITS[unit]}`;
}

/** `0`, `1,607`, `41 M`, `1.2 G`: exact below a million. */
export function formatCount(count: bigint | number): string {
  const value = BigInt(count);
  if (value < 1_000_000n) return value.toLocaleString("en-US");
  const [divisor, unit] = value < 1_000_000_000n ? [1_000_000, "M"] : [1_000_000_000, "G"];
  return `${shortNumber(Number(value) / divisor)} ${unit}`;
}

export function plural(count: bigint | number, one: string, many: string): string {
  return `${formatCount(count)} ${BigInt(count) === 1n ? one : many}`;
}

/** Two digits below ten, whole numbers above; never rounds something up to a bound that it does not reach. */
function shortNumber(value: number): string {
  if (value >= 10 || Number.isInteger(value)) return String(Math.floor(value));
  return (Math.floor(value * 10) / 10).toString();
}
