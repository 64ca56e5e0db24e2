// What of the catalog's own entry is out of step with the live table. Pure.
import type { CatalogDifference } from "../iceberg/catalog-state.ts";
import type { TablePair } from "./table-pair.ts";

export function catalogDifferences({ pair: live, catalogState }: TablePair): readonly CatalogDifference[] {
  return live === null ? [] : (catalogState?.differences(live.metadata) ?? []);
}
