// set-required: an optional live field that the file requires. Allowed only with proof from the manifests that
// no live row holds null; the format itself would let it through and readers would fail.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { ddl, pathHive } from "../ddl.ts";
import { allMatches } from "../match-fields.ts";
import type { NodeMatch } from "../match.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import type { TablePair } from "../table-pair.ts";
import { formatCount, plural } from "../../diagnostics/number-words.ts";

type Proof =
  | { readonly proved: true; readonly words: string }
  /** `hasNulls`: there are some, and no look at the rows would tell otherwise. */
  | { readonly proved: false; readonly why: string; readonly hasNulls?: true };

export const setRequired: StepKind = {
  kind: "set-required",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap((match): readonly (PlannedStep | Diagnostic)[] => {
      const { declared, live } = match;
      if (live === null || live.part === "key" || live.required || !declared.required) return [];
      const proof = proveNoNulls(live.id, pair);
      return [proof.proved ? requiredStep(match, proof.words, pair) : notProved(match, proof, pair)];
    });
  },
};

function proveNoNulls(id: number, pair: TablePair): Proof {
  if (pair.pair?.metadata.currentSnapshotId === null) return { proved: true, words: "the table is empty" };
  const { evidence } = pair;
  if (evidence === null) return { proved: false, why: "The manifests were not read (`--no-evidence`)" };
  if (evidence.records === 0n) return { proved: true, words: "the table is empty" };
  const field = evidence.fields.get(id);
  const files = field?.files ?? 0;
  if (field === undefined || files < evidence.dataFiles) {
    return {
      proved: false,
      why: `${plural(evidence.dataFiles - files, "live file has", "live files have")} no metrics for it: written before it existed (rows read null), or without metrics`,
    };
  }
  if (field.nulls === null) return { proved: false, why: "Some live files hold no null count for it" };
  if (field.nulls > 0n)
    return {
      proved: false,
      hasNulls: true,
      why: `${formatCount(field.nulls)} of ${formatCount(evidence.records)} rows ${field.nulls === 1n ? "is" : "are"} null`,
    };
  return { proved: true, words: `0 of ${formatCount(evidence.records)} rows are null` };
}

function requiredStep({ declared, live }: NodeMatch, words: string, pair: TablePair): PlannedStep {
  return planStep(pair, {
    kind: "set-required",
    path: declared.path,
    fieldId: live?.id ?? null,
    effect: "behaviour",
    before: "optional",
    after: "required",
    place: declared.place,
    evidence: { nulls: "0", rows: String(pair.evidence?.records ?? 0n) },
    sql: ddl(pair, ({ hive }) => ({
      spark: `ALTER TABLE ${hive} ALTER COLUMN ${pathHive(declared.path)} SET NOT NULL`,
      athena: null,
      trino: null,
    })),
    edit: (draft) => {
      if (live !== null) {
        draft.schema.allowIncompatible();
        draft.got(draft.schema.setRequired(live.id));
      }
      draft.requireSameData();
    },
    text: () => ({
      symbol: "~",
      subject: declared.path,
      change: "optional → required",
      detail: `${words}; writers of null will fail`,
    }),
  });
}

function notProved(
  { declared }: NodeMatch,
  { why, hasNulls }: Extract<Proof, { readonly proved: false }>,
  pair: TablePair,
): Diagnostic {
  const reason = hasNulls === true ? "rows hold null" : "it is not proved that no row holds null";
  return diagnostic("required-unproved", {
    what: `Cannot make "${declared.path}" required: ${reason}`,
    why,
    mend: "Leave it optional, or fill the nulls and rewrite the files first; the next plan looks again",
    place: declared.place,
    table: pair.spec.name,
    field: declared.path,
  });
}
