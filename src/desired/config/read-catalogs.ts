// The catalogs of one environment, each read by its kind. Knows no kind.
import { type CatalogConfig, catalogKind } from "../catalogs/index.ts";
import { textAt } from "../catalogs/catalog-kind.ts";
import { placeIn, type Reading } from "../reading.ts";
import type { YamlNode } from "../yaml/tree.ts";

/** By logical name. What cannot be read is left out; the schema's findings tell why. */
export function readCatalogs(reading: Reading, node: YamlNode | undefined, root: string): ReadonlyMap<string, CatalogConfig> {
  const catalogs = new Map<string, CatalogConfig>();
  if (node?.kind !== "map") return catalogs;
  for (const { key, value } of node.entries) {
    if (value.kind !== "map") continue;
    const kind = catalogKind(textAt(value, "type"));
    const catalog = kind?.read({ reading, map: value, place: placeIn(reading, key), root }) ?? null;
    if (catalog !== null) catalogs.set(key.text, catalog);
  }
  return catalogs;
}
