// One table of a corpus through the planner: imported, its plan empty, then each edit of the battery planned on the
// live metadata. Every field keeps its id, a new one gets one that was never used, and nothing crashes.
import { isSpec, planText, readText, standInPlace, type TextPlace } from "../src/commands/import-check.ts";
import { writeTableYaml } from "../src/desired/write-yaml.ts";
import type { TableSpec } from "../src/desired/table-spec.ts";
import { formatPath } from "../src/iceberg/field-path.ts";
import type { LiveTable } from "../src/iceberg/live-table.ts";
import { checkSchemaChange } from "../src/iceberg/schema-check.ts";
import { indexSchema } from "../src/iceberg/schema-index.ts";
import { currentSchema, type TableMetadata } from "../src/iceberg/table-metadata.ts";
import { importTable } from "../src/plan/import-table.ts";
import { simulatedPair } from "../src/plan/simulate.ts";
import { type CorpusEdit, corpusEdits } from "./corpus-edits.ts";

export interface CheckedTable {
  readonly fields: number;
  readonly planned: number;
  /** Refused edits by code. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
  /** What import could not say. */
  readonly leftOut: readonly string[];
  readonly failures: readonly string[];
}

const FILE = "corpus.yaml";

export function checkTable(metadata: TableMetadata, location: string): CheckedTable {
  const live: LiveTable = { identifier: { namespace: ["corpus"], name: "t" }, metadata, metadataLocation: location, token: null };
  const place = standInPlace(
    { type: "local", warehouse: "/corpus", place: { file: "", line: 1, column: 1 } },
    {
      label: "corpus",
      lowerCaseNames: false,
      nestedNamespaces: true,
      tableLocation: true,
      seenByAthena: false,
    },
    "/corpus",
  );
  const refused = new Map<string, string[]>();
  const failures: string[] = [];
  const fields = indexSchema(currentSchema(metadata)).nodes.length;
  const done = { planned: 0 };
  const leftOut: string[] = [];
  for (const pins of ["none", "all"] as const) {
    const imported = importTable(metadata, { name: ["corpus", "t"], catalog: null, pins });
    const text = writeTableYaml(imported.table);
    const spec = readText(text, FILE, place);
    if (!isSpec(spec)) {
      failures.push(`the imported file is wrong: ${spec.map((one) => `${one.what} (${one.why ?? ""})`).join("; ")}`);
      continue;
    }
    failures.push(...notInStep(spec, live, place).map((one) => `import with pins ${pins}: ${one}`));
    if (pins === "all") continue;
    leftOut.push(...imported.notes.filter((one) => one.severity !== "note").map((one) => one.what));
    for (const edit of corpusEdits(spec)) tryEdit(edit, live, place, { refused, failures, done });
  }
  return { fields, planned: done.planned, refused, leftOut, failures };
}

function notInStep(spec: TableSpec, live: LiveTable, place: TextPlace): string[] {
  const { plan } = planText(spec, live, place);
  return [
    ...plan.steps.map((step) => `step ${step.kind} ${step.field?.path ?? step.text.subject}`),
    ...plan.blockers.map((one) => `${one.code}: ${one.what}`),
    ...plan.drift.map((one) => `drift of ${one.kind} ${one.subject}`),
  ];
}

interface Tally {
  readonly refused: Map<string, string[]>;
  readonly failures: string[];
  readonly done: { planned: number };
}

/** Blockers that say that a step let through what it must not, unless the table itself is against the format. */
function isDefect(code: string, live: LiveTable): boolean {
  const { metadata } = live;
  const isRegular = checkSchemaChange(null, currentSchema(metadata), metadata).length === 0;
  return code === "simulation-differs" || (code === "format-refuses" && isRegular);
}

function tryEdit(edit: CorpusEdit, live: LiveTable, place: TextPlace, { refused, failures, done }: Tally): void {
  try {
    const { plan, change } = planText(edit.spec, live, place);
    for (const { code, what, why } of plan.blockers) {
      if (isDefect(code, live)) failures.push(`${edit.name}: ${code}: ${what} (${why ?? ""})`);
      else refused.set(code, [...(refused.get(code) ?? []), edit.name]);
    }
    if (plan.blockers.length > 0) return;
    if (change === null) {
      failures.push(`${edit.name}: nothing is planned`);
      return;
    }
    const { catalog, environment } = place;
    const input = {
      spec: edit.spec,
      live,
      namespaceExists: true,
      catalog,
      policy: environment.policy,
      evidence: null,
      preflight: null,
    };
    const after = simulatedPair(input, change).live;
    if (after === null) throw new Error("nothing is live after the plan");
    failures.push(
      ...wrongIds(edit, live.metadata, after.metadata).map((one) => `${edit.name}: ${one}`),
      ...notInStep(edit.spec, after, place).map((one) => `${edit.name}, afterwards: ${one}`),
    );
    done.planned++;
  } catch (error) {
    failures.push(`${edit.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

/** Every id that stays has its path, or the one of the rename; every new path has an id that no schema ever had. */
function wrongIds(edit: CorpusEdit, before: TableMetadata, after: TableMetadata): string[] {
  const wrong: string[] = [];
  const now = indexSchema(currentSchema(after));
  const used = new Set(before.schemas.flatMap((schema) => indexSchema(schema).nodes.map((node) => node.id)));
  const old = indexSchema(currentSchema(before));
  for (const node of old.nodes) {
    const path = old.segments(node.id);
    const wanted = pathAfter(path, edit);
    const found = now.byId(node.id);
    if (wanted === null) {
      if (found !== undefined) wrong.push(`id ${node.id} of "${formatPath(path)}" is still there`);
    } else if (found === undefined) wrong.push(`id ${node.id} of "${formatPath(path)}" is gone`);
    else if (formatPath(now.segments(node.id)) !== formatPath(wanted)) {
      wrong.push(`id ${node.id} of "${formatPath(path)}" is "${formatPath(now.segments(node.id))}"`);
    }
  }
  if (edit.adds !== null) {
    const id = now.byPath(edit.adds)?.id;
    if (id === undefined) wrong.push("the new field is not there");
    else if (used.has(id) || id <= before.lastColumnId) wrong.push(`the new field has the id ${id}, which was used`);
  }
  const known = new Set(old.nodes.map((node) => node.id));
  const strangers = now.nodes.filter(
    (node) => !known.has(node.id) && formatPath(now.segments(node.id)) !== formatPath(edit.adds ?? []),
  );
  wrong.push(...strangers.map((node) => `id ${node.id} of "${formatPath(now.segments(node.id))}" is new`));
  return wrong;
}

function pathAfter(path: readonly string[], { drops, renames }: CorpusEdit): readonly string[] | null {
  const isIn = (outer: readonly string[]): boolean => outer.every((name, index) => path[index] === name);
  if (drops !== null && isIn(drops)) return null;
  return renames !== null && isIn(renames.from) ? [...renames.to, ...path.slice(renames.from.length)] : path;
}
