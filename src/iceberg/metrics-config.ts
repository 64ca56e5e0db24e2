// Which column metrics the writers of a table's files keep (reference implementation, MetricsConfig): modes by
// property, the limit on wide tables, and the promotion of sorted columns. Knows no files.
import { METRICS_COLUMN_PREFIX } from "./column-properties.ts";
import { indexSchema } from "./schema-index.ts";
import type { SortOrder } from "./sort-order.ts";
import { parseTransform, preservesOrder } from "./transform.ts";
import { isPrimitive, type Schema, type Type } from "./type.ts";
import { childNodes, fieldNodes, type SchemaNode } from "./walk.ts";

export type MetricsMode =
  | { readonly kind: "none" | "counts" | "full" }
  /** Bounds of text and bytes are cut to so many characters or bytes. */
  | { readonly kind: "truncate"; readonly length: number };

export interface MetricsConfig {
  readonly modeOf: (fieldId: number) => MetricsMode;
  /** Columns that a property names and the schema does not have; the reference implementation refuses these. */
  readonly missingColumns: readonly string[];
  /** Keys whose value is no mode; they count as not set. */
  readonly invalidKeys: readonly string[];
}

const DEFAULT_MODE_KEY = "write.metadata.metrics.default";
const MAX_INFERRED_KEY = "write.metadata.metrics.max-inferred-column-defaults";
const DEFAULT_MAX_INFERRED = 100;
const DEFAULT_MODE: MetricsMode = { kind: "truncate", length: 16 };
const NONE: MetricsMode = { kind: "none" };

/** Null for text that is no mode. */
export function parseMetricsMode(text: string): MetricsMode | null {
  const lower = text.toLowerCase();
  if (lower === "none" || lower === "counts" || lower === "full") return { kind: lower };
  const length = Number(/^truncate\((\d{1,10})\)$/.exec(lower)?.[1] ?? 0);
  return length >= 1 && length <= 2_147_483_647 ? { kind: "truncate", length } : null;
}

export function formatMetricsMode(mode: MetricsMode): string {
  return mode.kind === "truncate" ? `truncate(${mode.length})` : mode.kind;
}

export function metricsConfig(
  properties: Readonly<Record<string, string>>,
  schema: Schema,
  sortOrder: SortOrder | null,
): MetricsConfig {
  const index = indexSchema(schema);
  const invalidKeys: string[] = [];
  const missingColumns: string[] = [];
  const read = (key: string, fallback: MetricsMode): MetricsMode | undefined => {
    const text = properties[key];
    if (text === undefined) return undefined;
    const mode = parseMetricsMode(text);
    if (mode === null) invalidKeys.push(key);
    return mode ?? fallback;
  };

  const modes = new Map<number, MetricsMode>();
  let defaultMode = read(DEFAULT_MODE_KEY, DEFAULT_MODE);
  if (defaultMode === undefined) {
    const limit = maxInferred(properties);
    const isWide = countColumns(schema) > limit;
    if (isWide) for (const id of firstColumns(schema, limit)) modes.set(id, DEFAULT_MODE);
    defaultMode = isWide ? NONE : DEFAULT_MODE;
  }
  const sortedMode = defaultMode.kind === "none" || defaultMode.kind === "counts" ? DEFAULT_MODE : defaultMode;
  for (const field of sortOrder?.fields ?? []) {
    if (preservesOrder(parseTransform(field.transform))) for (const id of field.sourceIds) modes.set(id, sortedMode);
  }
  for (const key of Object.keys(properties)) {
    if (!key.startsWith(METRICS_COLUMN_PREFIX)) continue;
    const column = key.slice(METRICS_COLUMN_PREFIX.length);
    const node = index.byName(column);
    const mode = read(key, defaultMode);
    if (node === undefined) missingColumns.push(column);
    else if (mode !== undefined) modes.set(node.id, mode);
  }
  const rest = defaultMode;
  return { modeOf: (fieldId) => modes.get(fieldId) ?? rest, missingColumns, invalidKeys };
}

function maxInferred(properties: Readonly<Record<string, string>>): number {
  const text = properties[MAX_INFERRED_KEY] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : DEFAULT_MAX_INFERRED;
}

// Columns with values of their own. Of a map only those whose value is primitive count their two parts, as in the
// reference implementation.
function countColumns(schema: Schema): number {
  return indexSchema(schema).nodes.filter((node) => {
    if (node.role === "key") return node.parent?.type.kind === "map" && isPrimitive(node.parent.type.value);
    return isPrimitive(node.type);
  }).length;
}

// The columns of a struct before those inside its fields, up to the limit.
function firstColumns(schema: Schema, limit: number): Set<number> {
  const found = new Set<number>();
  const waiting: (readonly SchemaNode[])[] = [fieldNodes(schema.fields, null)];
  for (let level = waiting.pop(); level !== undefined && found.size < limit; level = waiting.pop()) {
    for (const node of level) if (found.size < limit && isPrimitive(node.type)) found.add(node.id);
    for (const node of [...level].reverse()) if (!isPrimitive(node.type)) waiting.push(children(node.type));
  }
  return found;
}

function children(type: Type): readonly SchemaNode[] {
  return childNodes(type, null);
}
