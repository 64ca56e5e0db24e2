// Sentences that depend on a number, on who reads, or on a name: counted right, told once, to be typed as they stand.
import { describe, expect, it } from "vitest";
import { typedCommand } from "../../src/diagnostics/typed-command.ts";
import { applyHeadline, applyReport } from "../../src/report/apply-report.ts";
import { tableResult } from "../../src/apply/result.ts";
import { diagnosticsReport } from "../../src/report/diagnostics-report.ts";
import { driftReport } from "../../src/report/drift-report.ts";
import { renderMarkdown } from "../../src/report/formats/markdown.ts";
import { renderTerminal } from "../../src/report/formats/terminal.ts";
import { importReport } from "../../src/report/import-report.ts";
import { planReport } from "../../src/report/plan-report.ts";
import { waitingFrom } from "../../src/report/plan-sections.ts";
import { statusReport, type TableState } from "../../src/report/status-report.ts";
import type { Report } from "../../src/report/report.ts";
import { plainText } from "../../src/report/text.ts";
import type { Drift, TablePlan } from "../../src/plan/plan.ts";
import * as plans from "./plans.ts";

const sources = (): undefined => undefined;
const lastLine = (report: Report, verbose = false): string =>
  renderTerminal(report, { width: 200, colour: false, verbose }).trimEnd().split("\n").at(-1) ?? "";
const markdown = (report: Report): string => renderMarkdown(report, { budget: null, sourceUrl: null });

function drift(...tables: readonly TablePlan[]): Report {
  return driftReport(tables, {
    environment: "prod",
    sources,
    verbose: false,
    notRead: [],
    unmanaged: [{ catalog: "lake", name: "sales.old" }],
    listUnmanaged: true,
  });
}

const COLUMN: Drift = {
  kind: "field",
  subject: "sex",
  field: { path: "sex", id: 6 },
  what: "only live: string, id 6",
  origin: null,
  answers: { keep: "- { name: sex, type: string }", drop: "dropped: [ { field: sex, reason: … } ]", leave: "unmanaged: [ sex ]" },
};
const LIST: Drift = {
  ...COLUMN,
  kind: "glue-columns",
  subject: "Glue columns",
  field: null,
  answers: { keep: null, drop: null, leave: null },
};

describe("a command inside a sentence", () => {
  it("names the environment, and no name that a shell would read otherwise", () => {
    expect(typedCommand("release", "sales.orders", "prod")).toBe("`floeplan release sales.orders -e prod`");
    expect(typedCommand("plan", null, "prod")).toBe("`floeplan plan -e prod`");
    expect(typedCommand("show", "a; rm -rf ~", "$(id)")).toBe("`floeplan show TABLE -e ENV`");
    expect(typedCommand("show", "--yes", "-e")).toBe("`floeplan show TABLE -e ENV`");
  });

  it("follows an import and a drift", () => {
    const file = { table: "a.b", catalog: "lake", file: "tables/b.yaml", columns: ["x"], findings: [], error: null };
    const options = { environment: "dev", sources, declaredAlready: 0, verbose: false };
    expect(lastLine(importReport([{ ...file, state: "written" }], options))).toBe(
      "Next: read the files, then `floeplan plan -e dev`: it has no steps for them",
    );
    expect(lastLine(drift(plans.tablePlan("a.b", { drift: [COLUMN] })))).toBe(
      "Next: keep, drop or leave what has drifted; `floeplan import --update -e prod` keeps all columns",
    );
  });

  it("is no answer to drift that asks for none", () => {
    expect(drift(plans.tablePlan("a.b", { drift: [LIST] })).next).toBeNull();
  });
});

describe("a hint how to see more", () => {
  it("stands on a terminal that leaves something out, and nowhere else", () => {
    const report = planReport(plans.driftPlan, {
      asked: { environmentNamed: true, selectors: [], excluded: [], changedSince: null },
      sources,
      verbose: false,
    });
    expect(lastLine(report)).toBe("Next: keep, drop or leave what has drifted; -v shows what to write");
    expect(lastLine(report, true)).toBe("Next: keep, drop or leave what has drifted");
    expect(markdown(report)).not.toContain("-v");
  });

  it("is no option where nobody types a command", () => {
    const report = planReport(plans.manyNotesPlan, { asked: null, sources, verbose: false });
    expect(plainText(report.summary)).toMatch(/ notes not shown: the plan JSON has them\.$/);
    expect(report.next).toBeNull();
  });
});

describe("a headline", () => {
  it("of drift says what is blocked and what nobody declares, too", () => {
    const blocked = plans.tablePlan("a.b", { blockers: [plans.narrowed] });
    expect(plainText(drift(blocked, plans.tablePlan("a.c", { drift: [COLUMN] })).headline)).toBe(
      "Drift in prod: 1 table blocked, 1 difference, 1 table that no file declares",
    );
  });

  it("of an apply says what became of it, and the summary counts", () => {
    const of = (...outcomes: Parameters<typeof tableResult>[1][]): string =>
      plainText(
        applyHeadline(
          outcomes.map((outcome, at) => tableResult(`a.t${at}`, outcome, null)),
          { environment: "prod", notReached: [] },
        ),
      );
    expect([of("applied", "in-step"), of("dry-run"), of("in-step"), of(), of("applied", "held")]).toEqual([
      "Applied to prod: 1 table",
      "Would be applied to prod: 1 table",
      "Nothing to apply to prod",
      "Nothing to apply to prod",
      "Not all is applied to prod",
    ]);
    const report = applyReport([tableResult("a.t", "applied", null)], { environment: "prod", sources, notReached: [] });
    expect(markdown(report)).toContain("### ✅ Applied to `prod`: 1 table\n\n1 table: 1 applied.");
  });

  it("is not said again by the summary below it", () => {
    expect(markdown(diagnosticsReport([plans.narrowed], { sources, checked: null })).match(/1 error/g)).toHaveLength(2);
    expect(markdown(diagnosticsReport([], { sources, checked: null }))).toBe("### ✅ No findings\n");
  });

  it("of a plan from the files alone says so, and such a plan has no ids to approve", () => {
    const report = planReport(plans.samplePlan, { asked: null, offline: true, sources, verbose: false });
    expect(plainText(report.headline)).toMatch(/^Iceberg plan for prod, from the files alone: /);
    expect(markdown(report)).not.toMatch(/Plan `|step `|0000000\d/);
  });
});

describe("a number", () => {
  it("of tables counts each environment where there are several", () => {
    const blocked: TableState = { state: "blocked", why: "It is" };
    const status = (environments: readonly string[]): string => {
      const states = new Map(environments.map((name) => [name, blocked]));
      return lastLine(statusReport([{ table: "a.b", file: "b.yaml", states }], { environments, verbose: false }));
    };
    expect(status(["prod"])).toBe("1 table: 1 blocked.");
    expect(status(["dev", "prod"])).toBe("1 table in 2 environments: 2 blocked.");
  });

  it("of pull requests agrees with its noun", () => {
    expect([[], [7], [7, 8]].map((numbers) => plainText(waitingFrom("main", numbers)))).toEqual([
      "main",
      "main (pull request 7)",
      "main (pull requests 7, 8)",
    ]);
  });
});
