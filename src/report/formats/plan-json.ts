// A plan as JSON by schemas/plan.schema.json: what `--format json` prints and `apply --plan` reads. A promise to
// others: fields are only ever added.
import { formatInstant } from "../../iceberg/iso-time.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import type { Drift, Plan, Step, TableFacts, TablePlan } from "../../plan/plan.ts";
import { diagnosticJson, placeJson } from "./diagnostics-json.ts";

/** The format's own version, the first key of the document. */
export const PLAN_JSON_VERSION = 1;

export function planJson(plan: Plan): JsonObject {
  return {
    floeplan: PLAN_JSON_VERSION,
    environment: plan.environment,
    fingerprint: plan.fingerprint,
    tables: plan.tables.map(tableJson),
  };
}

function tableJson(table: TablePlan): JsonObject {
  return {
    table: table.table,
    catalog: table.catalog,
    identifier: { namespace: table.identifier.namespace, name: table.identifier.name },
    file: table.file,
    uuid: table.uuid,
    fingerprint: table.fingerprint,
    owner: table.owner,
    meta: table.meta,
    facts: table.facts === null ? null : factsJson(table.facts),
    steps: table.steps.map(stepJson),
    blockers: table.blockers.map(diagnosticJson),
    drift: table.drift.map(driftJson),
    notes: table.notes.map(diagnosticJson),
  };
}

function factsJson({ size, filesBySpec, lastWrite, appliedCommit }: TableFacts): JsonObject {
  return {
    rows: size === null ? null : String(size.rows),
    bytes: size === null ? null : String(size.bytes),
    dataFiles: size?.dataFiles ?? null,
    deleteFiles: size?.deleteFiles ?? null,
    filesBySpec: filesBySpec === null ? null : Object.fromEntries([...filesBySpec].map(([id, files]) => [String(id), files])),
    lastWrite:
      lastWrite === null ? null : { at: formatInstant(lastWrite.atMs), operation: lastWrite.operation, writer: lastWrite.writer },
    appliedCommit,
  };
}

function stepJson(step: Step): JsonObject {
  return {
    id: step.id,
    kind: step.kind,
    field: step.field === null ? null : { path: step.field.path, id: step.field.id },
    effect: step.effect,
    before: step.before,
    after: step.after,
    place: step.place === null ? null : placeJson(step.place),
    evidence: step.evidence,
    sql: { ...step.sql },
    ...(step.expression === undefined ? {} : { expression: { ...step.expression } }),
  };
}

export function driftJson(drift: Drift): JsonObject {
  return {
    kind: drift.kind,
    subject: drift.subject,
    field: drift.field === null ? null : { path: drift.field.path, id: drift.field.id },
    what: drift.what,
    origin: drift.origin,
    answers: { keep: drift.answers.keep, drop: drift.answers.drop, leave: drift.answers.leave },
  };
}
