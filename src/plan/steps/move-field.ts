// move-field: declared fields that stand in another relative order than the live ones. Fields that nobody
// declared go with the field that they stand behind.
import { allLevels } from "../match-fields.ts";
import { ddl, pathHive, quoteHive } from "../ddl.ts";
import { livePosition, matchOfKey, nameOfKey, placementOf, placementsBehind } from "../placements.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const moveField: StepKind = {
  kind: "move-field",
  detect(pair) {
    const live = pair.pair;
    if (live === null) return [];
    return [...allLevels(live.level)].flatMap((level) => {
      const order = live.orders.get(level);
      if (order === undefined) return [];
      return order.moved.flatMap((key) => {
        const match = matchOfKey(key, level);
        const placement = placementOf(order, key);
        if (match === undefined || match.live === null || placement === undefined) return [];
        const node = match.live;
        const afterName = placement.after === null ? null : nameOfKey(placement.after, level);
        return [
          planStep(pair, {
            kind: "move-field",
            path: match.declared.path,
            fieldId: node.id,
            effect: "behaviour",
            before: livePosition(key, level),
            after: afterName === null ? { first: true } : { after: afterName },
            place: match.declared.place,
            sql: ddl(pair, ({ hive }) => ({
              spark: `ALTER TABLE ${hive} ALTER COLUMN ${pathHive(node.path)} ${afterName === null ? "FIRST" : `AFTER ${quoteHive(afterName)}`}`,
              athena: null,
              trino: null,
            })),
            edit: (draft) => {
              for (const each of placementsBehind(order, key)) draft.place(level, each);
            },
            text: () => ({
              symbol: "^",
              subject: match.declared.path,
              change: afterName === null ? "moved to the front" : `moved behind ${afterName}`,
              detail: "writers by position must change",
            }),
          }),
        ];
      });
    });
  },
};
