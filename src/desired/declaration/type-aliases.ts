// Type names of other systems and what Iceberg calls them. Read with a note, never written. Text only.
import { PLAIN_TYPE_NAMES } from "../../iceberg/type.ts";

export interface TypeAlias {
  readonly type: string;
  /** What the other system's name says and Iceberg does not keep. */
  readonly lost?: string;
}

const LENGTH = "Iceberg keeps no length";
const SMALL = "Iceberg has no smaller whole number than int";
const NO_ZONE = "in Iceberg timestamp has no zone";

const NAMES: ReadonlyMap<string, TypeAlias> = new Map<string, TypeAlias>([
  ["bigint", { type: "long" }],
  ["integer", { type: "int" }],
  ["smallint", { type: "int", lost: SMALL }],
  ["tinyint", { type: "int", lost: SMALL }],
  ["byte", { type: "int", lost: SMALL }],
  ["short", { type: "int", lost: SMALL }],
  ["bool", { type: "boolean" }],
  ["real", { type: "float" }],
  ["double precision", { type: "double" }],
  ["text", { type: "string" }],
  ["varchar", { type: "string" }],
  ["character varying", { type: "string" }],
  ["bytes", { type: "binary" }],
  ["varbinary", { type: "binary" }],
  ["timestamp_ntz", { type: "timestamp", lost: NO_ZONE }],
  ["timestamp without time zone", { type: "timestamp", lost: NO_ZONE }],
  ["timestamp_ltz", { type: "timestamptz" }],
  ["timestamp_tz", { type: "timestamptz" }],
  ["timestamp with time zone", { type: "timestamptz" }],
  ["timestamp with local time zone", { type: "timestamptz" }],
  ["array", { type: "list" }],
  ["row", { type: "struct" }],
]);

const SHAPES: readonly (readonly [RegExp, (match: RegExpExecArray) => TypeAlias])[] = [
  [/^(?:varchar|char|character|nvarchar|character varying)\s*\(\s*\d+\s*\)$/, () => ({ type: "string", lost: LENGTH })],
  [/^(?:numeric|dec)\s*(\(.*\))$/, (match) => ({ type: `decimal${match[1] ?? ""}` })],
  [/^binary\s*\(\s*(\d+)\s*\)$/, (match) => ({ type: `fixed[${match[1] ?? ""}]` })],
  [/^fixed\s*\(\s*(\d+)\s*\)$/, (match) => ({ type: `fixed[${match[1] ?? ""}]` })],
  [/^timestamp\s*\(\s*([0-6])\s*\)(?: without time zone)?$/, () => ({ type: "timestamp" })],
  [/^timestamp\s*\(\s*([0-6])\s*\) with time zone$/, () => ({ type: "timestamptz" })],
  [/^timestamp\s*\(\s*9\s*\)(?: without time zone)?$/, () => ({ type: "timestamp_ns" })],
  [/^timestamp\s*\(\s*9\s*\) with time zone$/, () => ({ type: "timestamptz_ns" })],
  [/^time\s*\(\s*[0-6]\s*\)$/, () => ({ type: "time" })],
];

/** Most names are Iceberg's own, and there are many of them. */
const ICEBERG_NAMES: ReadonlySet<string> = new Set([...PLAIN_TYPE_NAMES, "list", "map", "struct"]);

export const ALIAS_NAMES: readonly string[] = [...NAMES.keys()];

/** Iceberg's own name, or null where the name is not known as another system's. */
export function findTypeAlias(name: string): TypeAlias | null {
  if (ICEBERG_NAMES.has(name)) return null;
  const plain = name.trim().toLowerCase().replace(/\s+/g, " ");
  const named = NAMES.get(plain);
  if (named !== undefined) return named;
  for (const [shape, alias] of SHAPES) {
    const match = shape.exec(plain);
    if (match !== null) return alias(match);
  }
  return null;
}
