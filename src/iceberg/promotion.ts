// Which primitive type may become which without touching data (spec "Schema Evolution"). One exhaustive table;
// knows no schema and no partition spec: what a promotion does to partition values is in schema-check.ts.
import type { FormatVersion } from "./table-metadata.ts";
import type { PrimitiveType } from "./type.ts";
import { formatType } from "./type-text.ts";

/**
 * `engines`: what the reference implementation allows, so every reader reads it. `spec`: also what the format
 * allows from v3 on and the reference implementation still refuses.
 */
export type PromotionRule = "engines" | "spec";

type Kind = PrimitiveType["kind"];
type Widening = readonly { readonly to: Kind; readonly since: FormatVersion; readonly rule: PromotionRule }[];

const NONE: Widening = [];

/** Targets of another kind. Decimals widen within their kind; `unknown` may become any type. */
const WIDENINGS: Readonly<Record<Kind, Widening>> = {
  boolean: NONE,
  int: [{ to: "long", since: 1, rule: "engines" }],
  long: NONE,
  float: [{ to: "double", since: 1, rule: "engines" }],
  double: NONE,
  decimal: NONE,
  date: [
    { to: "timestamp", since: 3, rule: "spec" },
    { to: "timestamp_ns", since: 3, rule: "spec" },
  ],
  time: NONE,
  timestamp: NONE,
  timestamptz: NONE,
  timestamp_ns: NONE,
  timestamptz_ns: NONE,
  string: NONE,
  uuid: NONE,
  binary: NONE,
  fixed: NONE,
  unknown: NONE,
  variant: NONE,
  geometry: NONE,
  geography: NONE,
};

/** May stored values of `from` be read as `to` by every engine? The same type is allowed. */
export function isPromotionAllowed(from: PrimitiveType, to: PrimitiveType, formatVersion: FormatVersion): boolean {
  return promotionProblem(from, to, formatVersion) === null;
}

/** Why `from` may not become `to`, as half a sentence; null when it may. */
export function promotionProblem(
  from: PrimitiveType,
  to: PrimitiveType,
  formatVersion: FormatVersion,
  rule: PromotionRule = "engines",
): string | null {
  if (isSamePrimitive(from, to)) return null;
  if (from.kind === "decimal" && to.kind === "decimal") return decimalProblem(from, to);
  const widening = wideningTo(from, to);
  if (widening === undefined) return `${formatType(from)} values cannot be read as ${formatType(to)}`;
  if (formatVersion < widening.since) {
    return `${formatType(from)} can become ${formatType(to)} only from format version ${widening.since} on, and engines do not read it yet`;
  }
  if (widening.rule === "spec" && rule === "engines") {
    return `format version ${widening.since} allows ${formatType(from)} to ${formatType(to)}, but engines do not read the old files right yet`;
  }
  return null;
}

/** Equal with parameters; a coordinate reference system is compared without case, as the reference implementation does. */
export function isSamePrimitive(a: PrimitiveType, b: PrimitiveType): boolean {
  switch (a.kind) {
    case "decimal":
      return b.kind === "decimal" && a.precision === b.precision && a.scale === b.scale;
    case "fixed":
      return b.kind === "fixed" && a.length === b.length;
    case "geometry":
      return b.kind === "geometry" && a.crs.toLowerCase() === b.crs.toLowerCase();
    case "geography":
      return b.kind === "geography" && a.crs.toLowerCase() === b.crs.toLowerCase() && a.algorithm === b.algorithm;
    default:
      return a.kind === b.kind;
  }
}

function wideningTo(from: PrimitiveType, to: PrimitiveType): Widening[number] | undefined {
  if (from.kind === "unknown") return { to: to.kind, since: 3, rule: "spec" };
  return WIDENINGS[from.kind].find((one) => one.to === to.kind);
}

function decimalProblem(
  from: Extract<PrimitiveType, { kind: "decimal" }>,
  to: Extract<PrimitiveType, { kind: "decimal" }>,
): string | null {
  if (from.scale !== to.scale) return `the scale of a decimal cannot change (${from.scale} to ${to.scale})`;
  return to.precision < from.precision ? `the precision of a decimal cannot shrink (${from.precision} to ${to.precision})` : null;
}
