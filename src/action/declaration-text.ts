// What a declaration says, without where it says it: two texts are equal where nothing was changed for the table. Pure.
import type { CatalogConfig } from "../desired/catalogs/index.ts";
import type { TableSpec } from "../desired/table-spec.ts";

/** Spots of the file, and how its parts were brought together. */
const NOT_SAID: ReadonlySet<string> = new Set(["place", "places", "file", "group"]);

/** `catalog`: where the table is. Moving it elsewhere is a change of the table. */
export function declarationText(spec: TableSpec, catalog: CatalogConfig | undefined): string {
  return JSON.stringify([spec, catalog ?? null], said);
}

function said(key: string, value: unknown): unknown {
  if (NOT_SAID.has(key)) return undefined;
  if (typeof value === "bigint") return String(value);
  if (value instanceof Map) return [...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return value;
}
