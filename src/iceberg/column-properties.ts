// Table properties whose keys name columns, and what a schema update does to them: three families follow renames and
// drops as the reference implementation makes them; the rest stays stale and is told. Changes nothing by itself.
import { indexSchema } from "./schema-index.ts";
import type { SchemaChanges } from "./schema-update.ts";
import type { Schema } from "./type.ts";

export const METRICS_COLUMN_PREFIX = "write.metadata.metrics.column.";

/** Prefixes whose keys follow a column that is changed or dropped by itself; those of its children stay behind. */
const FOLLOWING_PREFIXES = [
  METRICS_COLUMN_PREFIX,
  "write.parquet.bloom-filter-enabled.column.",
  "write.parquet.stats-enabled.column.",
] as const;

/** Prefixes of keys that name columns and that nobody keeps in step. */
const STALE_PREFIXES = [
  "write.parquet.bloom-filter-fpp.column.",
  "write.parquet.bloom-filter-ndv.column.",
  "write.parquet.dict-encoding-enabled.column.",
] as const;

/** A list of column names, separated by commas. */
const ORC_BLOOM_COLUMNS = "write.orc.bloom.filter.columns";

export interface StaleColumnProperty {
  readonly key: string;
  /** The column as the key or list spells it. */
  readonly column: string;
  /** Its full name now; null when there is no such column any more. */
  readonly now: string | null;
  /** The reference implementation refuses to set any property while the key is there. */
  readonly blocksCommits: boolean;
}

export interface ColumnPropertyChanges {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
  /** What still names a column that is gone or has another name, after `set` and `remove`. */
  readonly stale: readonly StaleColumnProperty[];
}

/** What becomes of the properties in the commit that makes `schema` of `base`. */
export function columnPropertyChanges(
  properties: Readonly<Record<string, string>>,
  base: Schema,
  schema: Schema,
  changes: SchemaChanges,
): ColumnPropertyChanges {
  const newNames = newColumnNames(base, schema, changes);
  const set = new Map<string, string>();
  const left = new Set<string>();
  const after = new Map(Object.entries(properties));
  for (const [key, value] of Object.entries(properties)) {
    const prefix = FOLLOWING_PREFIXES.find((one) => key.startsWith(one));
    if (prefix === undefined) continue;
    const newName = newNames.get(key.slice(prefix.length));
    if (newName === undefined) continue;
    left.add(key);
    if (newName !== null) set.set(prefix + newName, value);
  }
  const remove = [...left].filter((key) => !set.has(key));
  for (const key of remove) after.delete(key);
  for (const [key, value] of set) after.set(key, value);
  return {
    set: Object.fromEntries(set),
    remove,
    stale: findStale(after, (key, column) => nameNow(base, schema, changes, set.has(key), column)),
  };
}

/** Properties that name a column which the schema does not have. */
export function staleColumnProperties(properties: Readonly<Record<string, string>>, schema: Schema): StaleColumnProperty[] {
  const index = indexSchema(schema);
  return findStale(new Map(Object.entries(properties)), (_, column) => (index.byName(column) === undefined ? null : column));
}

// Full name before → full name after, null when dropped; only columns that were changed by themselves.
function newColumnNames(base: Schema, schema: Schema, changes: SchemaChanges): ReadonlyMap<string, string | null> {
  const [before, after] = [indexSchema(base), indexSchema(schema)];
  const names = new Map<string, string | null>();
  for (const id of [...changes.updated, ...changes.dropped]) {
    const old = before.fullName(id);
    const now = after.fullName(changes.replaced.get(id) ?? id) ?? null;
    if (old !== undefined && old !== now) names.set(old, now);
  }
  return names;
}

function nameNow(base: Schema, schema: Schema, changes: SchemaChanges, isJustSet: boolean, column: string): string | null {
  const after = indexSchema(schema);
  const before = indexSchema(base).byName(column);
  if (before === undefined || isJustSet) return after.byName(column) === undefined ? null : column;
  const id = changes.replaced.get(before.id) ?? before.id;
  return after.byName(column)?.id === id ? column : (after.fullName(id) ?? null);
}

function findStale(
  properties: ReadonlyMap<string, string>,
  now: (key: string, column: string) => string | null,
): StaleColumnProperty[] {
  const stale: StaleColumnProperty[] = [];
  for (const [key, value] of properties) {
    for (const column of columnsOf(key, value)) {
      const name = now(key, column);
      if (name !== column) stale.push({ key, column, now: name, blocksCommits: key.startsWith(METRICS_COLUMN_PREFIX) });
    }
  }
  return stale;
}

function columnsOf(key: string, value: string): string[] {
  if (key === ORC_BLOOM_COLUMNS) {
    return value
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  }
  const prefix = [...FOLLOWING_PREFIXES, ...STALE_PREFIXES].find((one) => key.startsWith(one));
  return prefix === undefined ? [] : [key.slice(prefix.length)];
}
