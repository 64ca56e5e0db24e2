// Where text from outside comes in, each by the real reading: files of a pull request, live metadata, words of a server,
// names of files. A source makes of some hostile texts all that is told because of them.
import { held } from "../../../src/apply/refusals.ts";
import { answerError } from "../../../src/catalog/rest-error.ts";
import { readTable } from "../../../src/desired/declaration/read-table.ts";
import { parseYaml } from "../../../src/desired/parse-yaml.ts";
import { sourceText } from "../../../src/desired/yaml/source-text.ts";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { formatPath } from "../../../src/iceberg/field-path.ts";
import type { JsonObject } from "../../../src/iceberg/json.ts";
import type { TablePlan } from "../../../src/plan/plan.ts";
import { diagnosticsReport } from "../../../src/report/diagnostics-report.ts";
import { type DriftReportOptions, driftReport } from "../../../src/report/drift-report.ts";
import { NO_SOURCES, type Sources } from "../../../src/report/excerpt.ts";
import { groupNotRead } from "../../../src/report/not-read.ts";
import { planReport } from "../../../src/report/plan-report.ts";
import type { Report } from "../../../src/report/report.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "../../plan/facts.ts";
import { field, metadataOf, plan as planOf, schemaOf, type SpecOptions } from "../../plan/support.ts";
import { plan as wholePlan } from "../../report/plans.ts";
import { pullRequestSources } from "./pull-request-sources.ts";

export interface Told {
  readonly report: Report;
  readonly findings: readonly Diagnostic[];
  readonly plans: readonly TablePlan[];
  /** What of each text must be seen: a name is quoted as a path, a sentence of a server cleaned. */
  readonly shown: readonly string[];
  /** False: the JSON says nothing of it. Absent: it does. */
  readonly isInJson?: boolean;
}

/** Leaves out the texts that cannot come this way, or that are refused at the door. */
type Source = (texts: readonly string[]) => Told;

const AB = schemaOf(field(1, "a", "string"), field(2, "b", "string"));
const FILE = "tables/t.yaml";
const TABLE = "table: ns.t\ncolumns:\n  - { name: a, type: string }\n  - { name: b, type: string }\n";

/** In double quotes, every sign beyond ASCII as an escape: YAML and JSON read the same. Null: YAML cannot say it. */
export function yamlText(text: string): string | null {
  if (/\p{Cs}/u.test(text) || text.includes("\u0000")) return null;
  return JSON.stringify(text).replace(
    /[\u007f-\u{10ffff}]/gu,
    (one) => `\\U${(one.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
}

function written(
  texts: readonly string[],
  isMeant: (text: string) => boolean = (text) => text !== "",
): readonly (readonly [string, string])[] {
  return texts.filter(isMeant).flatMap((text) => {
    const yaml = yamlText(text);
    return yaml === null ? [] : [[text, yaml] as const];
  });
}

function tablePlan(yaml: string, live: JsonObject | null, options: SpecOptions = {}): TablePlan {
  const metadata = live === null ? null : metadataOf([AB], { ...SNAPSHOT, ...live });
  return planOf(yaml, metadata, { ...options, evidence: PLAIN_EVIDENCE }).plan;
}

function ofPlans(plans: readonly TablePlan[], shown: readonly string[], yaml = TABLE): Told {
  const asked = { environmentNamed: true, selectors: [], excluded: [], changedSince: null };
  const sources = (file: string): string | undefined => (file === FILE ? yaml : undefined);
  const report = planReport(wholePlan(...plans), { asked, sources, verbose: true });
  return { report, findings: plans.flatMap(({ blockers, notes }) => [...blockers, ...notes]), plans, shown };
}

function ofFindings(findings: readonly Diagnostic[], shown: readonly string[], sources: Sources = NO_SOURCES): Told {
  return { report: diagnosticsReport(findings, { sources, checked: null }), findings, plans: [], shown };
}

function read(yaml: string, file: string): readonly Diagnostic[] {
  return readTable(parseYaml(sourceText(file, yaml)), { groups: new Map(), environments: ["prod"] }).diagnostics;
}

function drifted(parts: Partial<DriftReportOptions>): Report {
  return driftReport([], {
    environment: "prod",
    sources: NO_SOURCES,
    verbose: true,
    notRead: [],
    unmanaged: [],
    listUnmanaged: true,
    ...parts,
  });
}

/** Columns of these names are live. */
function liveColumns(names: readonly string[]): JsonObject {
  const fields = names.map((name, at) => field(3 + at, name, "string", { doc: name }));
  const all = [field(1, "a", "string"), field(2, "b", "string"), ...fields];
  return { schemas: [{ type: "struct", "schema-id": 0, fields: all }], "last-column-id": 2 + names.length };
}

const HELD = tablePlan(`${TABLE}  - { name: c, type: int }\n`, {});
const DROPS_B = `${TABLE.replace("  - { name: b, type: string }\n", "")}dropped: [ { field: b, reason: unused } ]\n`;

const RENAMES_A = "table: ns.t\ncolumns:\n  - { name: c, type: string, renamed-from: [ a ] }\n";

export const SOURCES: Readonly<Record<string, Source>> = {
  "declared columns": (texts) => {
    const all = written(texts);
    const yaml = `${TABLE}${all.map(([, one]) => `  - { name: ${one}, type: string, comment: ${one} }\n`).join("")}`;
    return ofPlans(
      [tablePlan(yaml, {})],
      all.map(([text]) => formatPath([text])),
      yaml,
    );
  },
  "declared properties": (texts) => {
    const all = written(texts, (text) => text !== "" && text !== "__proto__");
    const yaml = `${TABLE}properties:\n${all.map(([, one]) => `  ? ${one}\n  : ${one}\n`).join("")}`;
    return ofPlans(
      [tablePlan(yaml, {})],
      all.map(([text]) => text),
      yaml,
    );
  },
  "reasons of drops": (texts) => {
    const all = written(texts, (text) => text.trim() !== "");
    const names = all.map((_, at) => `c${at}`);
    const drops = all.map(([, one], at) => `  - { field: c${at}, reason: ${one} }\n`).join("");
    return ofPlans([tablePlan(`${TABLE}dropped:\n${drops}`, liveColumns(names))], names);
  },
  "declared tables": (texts) => {
    const all = written(texts);
    const plans = all.map(([, one]) =>
      tablePlan(
        TABLE.replace("ns.t", () => `[ ns, ${one} ]`),
        null,
      ),
    );
    return ofPlans(
      plans,
      all.map(([text]) => formatPath(["ns", text])),
    );
  },
  "keys of a file": (texts) => {
    // A key is shortened in its message, and a long one is no key of YAML.
    const all = written(texts, (text) => text.length <= 60);
    const yaml = `${TABLE}${all.map(([, one]) => `${one}: 1\n`).join("")}`;
    return ofFindings(
      read(yaml, FILE),
      all.map(([text]) => text.replace(/\s*[\r\n]+\s*/g, " ")),
      () => yaml,
    );
  },
  "paths of files": (texts) => {
    const files = texts.map((text) => `tables/${text}.yaml`);
    return ofFindings(
      files.flatMap((file) => read(`${TABLE}colour: 1\n`, file)),
      files,
      () => `${TABLE}colour: 1\n`,
    );
  },
  "live columns": (texts) => {
    const all = texts.filter((text) => text !== "");
    return ofPlans(
      [tablePlan(TABLE, liveColumns(all))],
      all.map((text) => formatPath([text])),
    );
  },
  "owners of live tables": (texts) => {
    const plans = texts.map((text, at) => ({
      ...tablePlan(TABLE, { properties: { "floeplan.owner": text } }, { project: "ours and no other's" }),
      table: `ns.t${at}`,
    }));
    return ofPlans(plans, texts);
  },
  "branches of a live table": (texts) => {
    // A list of long names is shortened as a whole.
    const all = texts.filter((text) => text !== "" && text !== "__proto__" && text.length <= 60);
    const refs = Object.fromEntries(["main", ...all].map((name) => [name, { "snapshot-id": 7, type: "branch" }]));
    return ofPlans([tablePlan(DROPS_B, { refs })], all, DROPS_B);
  },
  "reasons of holds": (texts) =>
    ofFindings(
      texts.map((text, at) => held({ ...HELD, table: `ns.t${at}` }, { plan: null, since: null, reason: text })),
      texts,
    ),
  "words of a server": (texts) => {
    const failed = texts.map((text, at) => {
      const body = Buffer.from(JSON.stringify({ error: { message: text, type: "Refused", code: 400 } }));
      const answer = { status: 400, body, header: () => null };
      return { table: `ns.t${at}`, error: answerError("Cannot load the table", answer, (words) => words) };
    });
    const shown = failed.map(({ error }) => (error.why ?? "").replace(/ \(Refused\)$/, ""));
    return { report: drifted({ notRead: groupNotRead(failed) }), findings: [], plans: [], shown };
  },
  "tables that nobody declares": (texts) => {
    const names = texts.map((text) => formatPath(["ns", text]));
    const unmanaged = names.map((name) => ({ catalog: "lake", name }));
    return { report: drifted({ unmanaged }), findings: [], plans: [], shown: names };
  },
  ...pullRequestSources({ written, plan: (more) => tablePlan(`${RENAMES_A}${more}`, {}) }),
};
