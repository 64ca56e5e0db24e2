// set-properties: one step a key, so that each can be approved for itself. All keys of a commit go together.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { isBehaviourProperty } from "../behaviour-properties.ts";
import { conflictText } from "../conflict-text.ts";
import { ddl, literalSpark, literalTrino } from "../ddl.ts";
import { propertyReach } from "../engine-properties.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import { type PropertyDifference, propertyDifferences } from "../property-differences.ts";
import type { TablePair } from "../table-pair.ts";

export const setProperties: StepKind = {
  kind: "set-properties",
  detect(pair) {
    return propertyDifferences(pair).flatMap((difference): readonly (PlannedStep | Diagnostic)[] => {
      if (difference.kind === "conflict") return [conflict(difference, pair)];
      return difference.kind === "set" ? [setStep(difference, pair)] : [];
    });
  },
};

function setStep({ key, before, after, place }: Extract<PropertyDifference, { kind: "set" }>, pair: TablePair): PlannedStep {
  return planStep(pair, {
    kind: "set-properties",
    path: null,
    effect: isBehaviourProperty(key) ? "behaviour" : "metadata",
    before: before === null ? null : { [key]: before },
    after: { [key]: after },
    place,
    sql: ddl(pair, ({ hive, trino }) => ({
      spark: `ALTER TABLE ${hive} SET TBLPROPERTIES (${literalSpark(key)} = ${literalSpark(after)})`,
      athena: null,
      trino: `ALTER TABLE ${trino} SET PROPERTIES extra_properties = MAP(ARRAY[${literalTrino(key)}], ARRAY[${literalTrino(after)}])`,
    })),
    edit: (draft) => {
      draft.setProperty(key, after);
    },
    text: () => ({
      symbol: before === null ? "+" : "~",
      subject: key,
      change: before === null ? after : `${before} → ${after}`,
      detail: ["table property", propertyReach(key, pair.catalog.seenByAthena)].filter((text) => text !== "").join("; "),
    }),
  });
}

function conflict(difference: Extract<PropertyDifference, { kind: "conflict" }>, pair: TablePair): Diagnostic {
  return diagnostic("property-conflict", {
    what: `Cannot decide about property "${difference.key}": Git and another writer both changed it`,
    ...conflictText(difference),
    place: difference.place,
    table: pair.spec.name,
  });
}
