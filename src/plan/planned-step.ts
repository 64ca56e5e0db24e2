// A step together with what it does to a draft, and the contract of a kind of step. A kind is one file in
// steps/ and one line in steps/index.ts; shared code never asks which kind it has.
import type { Diagnostic, Place } from "../diagnostics/diagnostic.ts";
import type { JsonObject, JsonValue } from "../iceberg/json.ts";
import type { TableDraft } from "./draft.ts";
import { stepId } from "./fingerprint.ts";
import { type Effect, type Step, type StepSql, type StepText, touchesValues } from "./plan.ts";
import type { TablePair } from "./table-pair.ts";

/** What a step did to the draft, as far as its words need it. */
export interface EditResult {
  readonly newId: number | null;
}

export const NO_NEW_ID: EditResult = { newId: null };

export interface PlannedStep extends Omit<Step, "text"> {
  /** Applies the step to the draft; called once, in plan order. */
  edit(draft: TableDraft): EditResult;
  text(result: EditResult): StepText;
}

/** One kind of difference between a declared and a live table, and everything known about it. */
export interface StepKind {
  readonly kind: string;
  /** The steps of this kind that the pair needs, or the reasons why one cannot be taken. */
  detect(pair: TablePair): readonly (PlannedStep | Diagnostic)[];
}

const NO_SQL: StepSql = { spark: null, athena: null, trino: null };

export interface StepParts {
  readonly kind: string;
  readonly path: string | null;
  readonly fieldId?: number | null;
  readonly effect: Effect;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly place: Place | null;
  readonly evidence?: JsonObject;
  readonly sql?: StepSql;
  readonly expression?: StepSql;
  readonly failing?: StepSql;
  edit(draft: TableDraft): EditResult | void;
  text(result: EditResult): StepText;
}

/** A planned step with its id. */
export function planStep(pair: TablePair, parts: StepParts): PlannedStep {
  const { kind, path, before, after, effect, place } = parts;
  const fieldId = parts.fieldId ?? null;
  return {
    id: stepId({ table: tableKey(pair), kind, path, fieldId, before, after }),
    kind,
    field: path === null ? null : { path, id: fieldId },
    effect,
    before,
    after,
    place,
    evidence: { ...parts.evidence, ...rangeFacts(pair, effect, fieldId) },
    sql: parts.sql ?? NO_SQL,
    ...(parts.expression === undefined ? {} : { expression: parts.expression }),
    ...(parts.failing === undefined ? {} : { failing: parts.failing }),
    edit: (draft) => parts.edit(draft) ?? NO_NEW_ID,
    text: (result) => parts.text(result),
  };
}

/** Where it matters what a column holds. */
function rangeFacts({ evidence }: TablePair, effect: Effect, fieldId: number | null): JsonObject {
  const range = fieldId === null || !touchesValues(effect) ? undefined : evidence?.ranges?.get(fieldId);
  return range === undefined ? {} : { "lower-bound": range.lower, "upper-bound": range.upper };
}

/** The uuid of a live table; catalog and identifier of one that is to be made. */
function tableKey(pair: TablePair): JsonValue {
  const { spec, live } = pair;
  return live?.metadata.tableUuid ?? [spec.catalog, ...spec.identifier.namespace, spec.identifier.name];
}

export function isDiagnostic(found: PlannedStep | Diagnostic): found is Diagnostic {
  return "code" in found;
}
