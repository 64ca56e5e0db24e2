// replace-sort-order: the default sort order that writers follow from now on. Old orders stay in the metadata.
import { currentSchema, defaultSortOrder } from "../../iceberg/table-metadata.ts";
import { fieldPath } from "../../iceberg/schema-index.ts";
import { canonicalTransform } from "../../iceberg/transform.ts";
import { sortOrderSql } from "../layout-sql.ts";
import { liveIdByPath } from "../live-ids.ts";
import { partitionText } from "../partition-difference.ts";
import { planStep, type StepKind } from "../planned-step.ts";

interface SortKey {
  readonly source: string;
  readonly transform: string;
  readonly direction: string;
  readonly nullOrder: string;
}

export const replaceSortOrder: StepKind = {
  kind: "replace-sort-order",
  detect(pair) {
    const live = pair.pair;
    const declared = pair.spec.sortBy;
    if (live === null || declared === undefined) return [];
    const { metadata } = live;
    const idOf = liveIdByPath(pair);
    const liveFields = defaultSortOrder(metadata).fields;
    const isSame =
      declared.length === liveFields.length &&
      declared.every((wanted, index) => {
        const field = liveFields[index];
        return (
          field !== undefined &&
          field.sourceIds.length === 1 &&
          field.sourceIds[0] === idOf(wanted.source) &&
          canonicalTransform(field.transform) === canonicalTransform(wanted.transform) &&
          field.direction === wanted.direction &&
          field.nullOrder === wanted.nullOrder
        );
      });
    if (isSame) return [];
    const schema = currentSchema(metadata);
    const before = liveFields.map((field) =>
      sortText({ ...field, source: field.sourceIds.map((id) => fieldPath(schema, id) ?? `id ${id}`).join(", ") }),
    );
    const after = declared.map(sortText);
    return [
      planStep(pair, {
        kind: "replace-sort-order",
        path: null,
        effect: "behaviour",
        before,
        after,
        place: pair.spec.places["sort-by"] ?? pair.spec.place,
        sql: sortOrderSql(pair, declared),
        edit: (draft) => {
          draft.sortBy = declared;
        },
        text: () => ({
          symbol: "~",
          subject: "sort order",
          change: `${before.length === 0 ? "none" : before.join(", ")} → ${after.length === 0 ? "none" : after.join(", ")}`,
          detail: "new files only",
        }),
      }),
    ];
  },
};

function sortText({ source, transform, direction, nullOrder }: SortKey): string {
  return `${partitionText(transform, source)} ${direction} ${nullOrder.replace("-", " ")}`;
}
