// rename-field: the live field that a declared one stands for has another name.
import { allMatches } from "../match-fields.ts";
import { ddl, isTopLevel, pathHive, pathTrino, quoteHive, quoteTrino } from "../ddl.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const renameField: StepKind = {
  kind: "rename-field",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap((match) => {
      const { declared, live, how } = match;
      if (live === null || how === "restored" || live.part !== "field" || live.name === declared.name) return [];
      return [
        planStep(pair, {
          kind: "rename-field",
          path: declared.path,
          fieldId: live.id,
          effect: "behaviour",
          before: live.name,
          after: declared.name,
          place: declared.renamedFrom[0]?.place ?? declared.place,
          sql: ddl(pair, ({ hive, trino }) => ({
            spark: `ALTER TABLE ${hive} RENAME COLUMN ${pathHive(live.path)} TO ${quoteHive(declared.name)}`,
            athena: null,
            trino: isTopLevel(live.path)
              ? `ALTER TABLE ${trino} RENAME COLUMN ${pathTrino(live.path)} TO ${quoteTrino(declared.name)}`
              : null,
          })),
          edit: (draft) => {
            draft.got(draft.schema.renameField(live.id, declared.name));
          },
          text: () => ({
            symbol: ">",
            subject: declared.path,
            change: how === "renamed-back" ? `renamed back from ${live.name}` : `was ${live.name}`,
            detail: "readers by name must change",
          }),
        }),
      ];
    });
  },
};
