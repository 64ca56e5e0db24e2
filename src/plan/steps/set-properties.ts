// set-properties: one step a key, so that each can be approved for itself. All keys of a commit go together.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { isBehaviourProperty } from "../behaviour-properties.ts";
import { ddl, literalSpark, literalTrino } from "../ddl.ts";
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
      detail: "table property",
    }),
  });
}

function conflict(
  { key, base, live, declared, place }: Extract<PropertyDifference, { kind: "conflict" }>,
  pair: TablePair,
): Diagnostic {
  const say = (value: string | null): string => (value === null ? "not set" : `"${value}"`);
  return diagnostic("property-conflict", {
    what: `Cannot decide about property "${key}": Git and another writer both changed it`,
    why: `floeplan last set "${base}", the live table has ${say(live)}, the file wants ${say(declared)}`,
    mend: `Take theirs: write ${live === null ? "null" : `"${live}"`} in the file. Keep yours: set the live value back to "${base}" first, then plan again`,
    place,
    table: pair.spec.name,
  });
}
