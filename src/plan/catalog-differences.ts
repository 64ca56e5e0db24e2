// What of the catalog's own entry is out of step with the live table. Pure.
import type { CatalogDifference, CatalogState } from "../iceberg/catalog-state.ts";
import type { TablePair } from "./table-pair.ts";

export function catalogDifferences({ pair: live, catalogState }: TablePair): readonly CatalogDifference[] {
  return live === null ? [] : (catalogState?.differences(live.metadata) ?? []);
}

/** The entry as a commit leaves it: every commit brings the catalog's own list in step. */
export function inStep(state: CatalogState): CatalogState {
  return { ...state, differences: () => [] };
}
