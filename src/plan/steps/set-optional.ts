// set-optional: a live required field that the file does not declare as required. Always allowed by the format
// but for identifier fields.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { ddl, pathHive, pathTrino } from "../ddl.ts";
import { keepsIdentifier } from "../identifier.ts";
import { allMatches } from "../match-fields.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";

export const setOptional: StepKind = {
  kind: "set-optional",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap(({ declared, live }): readonly (PlannedStep | Diagnostic)[] => {
      if (live === null || live.part === "key" || !live.required || declared.required) return [];
      if (keepsIdentifier(pair, live.id)) {
        return [
          diagnostic("identifier-optional", {
            what: `Cannot make "${declared.path}" optional: it is an identifier field`,
            why: "An identifier field must be required",
            mend: "Declare it with `required: true`, or take it out of `identifier-fields`",
            place: declared.place,
            table: pair.spec.name,
            field: declared.path,
          }),
        ];
      }
      return [
        planStep(pair, {
          kind: "set-optional",
          path: declared.path,
          fieldId: live.id,
          effect: "behaviour",
          before: "required",
          after: "optional",
          place: declared.place,
          sql: ddl(pair, ({ hive, trino }) => ({
            spark: `ALTER TABLE ${hive} ALTER COLUMN ${pathHive(live.path)} DROP NOT NULL`,
            athena: null,
            trino: live.part === "field" ? `ALTER TABLE ${trino} ALTER COLUMN ${pathTrino(live.path)} DROP NOT NULL` : null,
          })),
          edit: (draft) => {
            draft.got(draft.schema.setOptional(live.id));
          },
          text: () => ({
            symbol: "~",
            subject: declared.path,
            change: "required → optional",
            detail: "readers must expect null",
          }),
        }),
      ];
    });
  },
};
