// set-identifier-fields: the fields that tell rows apart for writers that upsert.
import { currentSchema } from "../../iceberg/table-metadata.ts";
import { fieldPath } from "../../iceberg/schema-index.ts";
import { identifierSql } from "../layout-sql.ts";
import { liveIdByPath } from "../live-ids.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const setIdentifierFields: StepKind = {
  kind: "set-identifier-fields",
  detect(pair) {
    const live = pair.pair;
    const declared = pair.spec.identifierFields;
    if (live === null || declared === undefined) return [];
    const schema = currentSchema(live.metadata);
    const idOf = liveIdByPath(pair);
    const wanted = declared.map((field) => idOf(field.value));
    const isSame =
      wanted.length === schema.identifierFieldIds.length && schema.identifierFieldIds.every((id) => wanted.includes(id));
    if (isSame) return [];
    const before = schema.identifierFieldIds.map((id) => fieldPath(schema, id) ?? `id ${id}`);
    const after = declared.map((field) => field.value).sort();
    return [
      planStep(pair, {
        kind: "set-identifier-fields",
        path: null,
        effect: "behaviour",
        before,
        after,
        place: pair.spec.places["identifier-fields"] ?? pair.spec.place,
        sql: identifierSql(pair, after, before),
        edit: (draft) => {
          draft.identifierPaths = after;
        },
        text: () => ({
          symbol: "~",
          subject: "identifier fields",
          change: `${before.length === 0 ? "none" : before.join(", ")} → ${after.length === 0 ? "none" : after.join(", ")}`,
          detail: "writers that upsert match rows by them",
        }),
      }),
    ];
  },
};
