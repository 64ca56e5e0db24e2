// What the catalog itself has to say of the table as it would stand: what it refuses, which blocks, and what it shows
// otherwise, which is a note. Worded by the catalog's own state.
import type { DeclaredField } from "../../desired/table-spec.ts";
import { type Diagnostic, diagnostic, type Place } from "../../diagnostics/diagnostic.ts";
import type { TableMetadata } from "../../iceberg/table-metadata.ts";
import type { TableChange } from "../table-change.ts";
import { declaredChildren, declaredField, type DeclaredNode } from "../node.ts";
import { splitPath } from "../split-path.ts";
import type { TablePair } from "../table-pair.ts";

export function catalogProblems(
  { spec, catalogState, placeProblem }: TablePair,
  after: TableMetadata | null,
  parameters: TableChange["catalogParameters"],
): readonly Diagnostic[] {
  if (after === null) return [];
  const ofState = catalogState?.problems(after, Object.fromEntries(parameters)) ?? [];
  const ofPlace = placeProblem === undefined || placeProblem === null ? [] : [placeProblem];
  return [...ofPlace, ...ofState].map(({ path, parameter, ...words }) =>
    diagnostic("catalog-refuses", {
      ...words,
      place:
        (path === undefined ? null : placeOf(path, spec.columns)) ??
        (parameter === undefined ? undefined : spec.glueParameters.get(parameter)?.place) ??
        spec.place,
      table: spec.name,
      ...(path === undefined ? {} : { field: path }),
    }),
  );
}

/** `change` is what leads to `after`; absent: nothing is to change. */
export function catalogNotes(pair: TablePair, after: TableMetadata | null, change?: TableChange): readonly Diagnostic[] {
  const { spec, catalogState, policy } = pair;
  if (after === null || catalogState === undefined) return [];
  const hasSnapshot = (pair.live?.metadata.currentSnapshotId ?? null) !== null;
  const leavesTag = policy.snapshotTag === "keep" && (change?.conversions.length ?? 0) > 0 && hasSnapshot;
  return catalogState.notes(after, { leavesTag }).map((words) => diagnostic("catalog-shows", { ...words, table: spec.name }));
}

/** Where a column of this path is declared; null where no file says it. */
function placeOf(path: string, columns: readonly DeclaredField[]): Place | null {
  let nodes: readonly DeclaredNode[] = columns.map((column) => declaredField(column, []));
  const parents: string[] = [];
  let place: Place | null = null;
  for (const segment of splitPath(path)) {
    const found = nodes.find((node) => node.name === segment);
    if (found === undefined) return place;
    place = found.place;
    parents.push(segment);
    nodes = declaredChildren(found.type, parents);
  }
  return place;
}
