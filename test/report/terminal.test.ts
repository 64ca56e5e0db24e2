// The terminal as a person sees it: every golden was read before it was kept.
import fc from "fast-check";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/report/display-width.ts";
import { renderTerminal, type TerminalOptions } from "../../src/report/formats/terminal.ts";
import { planReport, type PlanReportOptions } from "../../src/report/plan-report.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { hostilePlan } from "./hostile-plan.ts";
import * as plans from "./plans.ts";

const ASKED = { environmentNamed: true, selectors: ["sales.orders"], excluded: [], changedSince: null };

function terminal(plan: Plan, options: Partial<TerminalOptions> = {}, report: Partial<PlanReportOptions> = {}): string {
  const verbose = options.verbose ?? false;
  const built = planReport(plan, { asked: ASKED, sources: plans.sources, verbose, ...report });
  return renderTerminal(built, { width: 100, colour: false, verbose, ...options });
}

const golden = (name: string): string => resolve(import.meta.dirname, "goldens", name);

describe("a plan on the terminal", () => {
  it("is the sample of the contract, character for character", () => {
    expect(terminal(plans.samplePlan)).toBe(
      [
        "prod  sales.orders                                    tables/sales/orders.yaml",
        "  + channel        string            metadata   new id 21                        :14",
        "  > customer       was cust_name     behaviour  readers by name must change      :8",
        "  ! order_date     string → date     rewrite    1.9 of 48 GiB, 0 of 41 M fail    :15",
        "  - legacy_flag    string, id 7      lost       41 M rows hold a value           :44",
        "  ? utm_medium     only live         drift      spark glue-job-clicks, 20 Aug    keep · drop · leave",
        "1 table: 1 added, 1 renamed, 1 rewritten, 1 lost, 1 drifted. Plan c40e7718.",
        "Next: floeplan apply -e prod sales.orders --approve c40e7718",
        "",
      ].join("\n"),
    );
  });

  it("says so when nothing changes", () => {
    expect(terminal(plans.plan(plans.tablePlan("sales.orders")))).toBe("No changes. 1 table in step.\n");
  });

  it("says so when no table is selected", () => {
    expect(terminal(plans.plan())).toBe("No table is selected.\n");
  });

  it("asks for no approval where nothing is lost or rewritten", () => {
    const text = terminal(plans.plan(plans.tablePlan("sales.orders", { steps: [plans.addChannel, plans.renameCustomer] })));
    expect(text).toContain("Next: floeplan apply -e prod sales.orders\n");
  });

  it.each([
    ["blocked", plans.blockedPlan, {}],
    ["drift", plans.driftPlan, {}],
    ["drift-verbose", plans.driftPlan, { verbose: true }],
    ["sample-verbose", plans.samplePlan, { verbose: true }],
    ["causes", plans.causesPlan, {}],
    ["notes", plans.notesPlan, {}],
    ["many-notes", plans.manyNotesPlan, {}],
    ["400-tables", plans.manyTablesPlan, {}],
    ["long-names", plans.longNamesPlan, {}],
    ["wide-characters", plans.wideCharactersPlan, {}],
    ["narrow-80", plans.samplePlan, { width: 80 }],
    ["narrow-40", plans.samplePlan, { width: 40 }],
    ["colour", plans.samplePlan, { colour: true }],
    ["several-tables", plans.severalTablesPlan, {}],
  ] as const)("reads well: %s", async (name, plan, options) => {
    await expect(terminal(plan, options, { asked: { ...ASKED, selectors: [] } })).toMatchFileSnapshot(golden(`${name}.txt`));
  });

  it("has the same words with and without colour", () => {
    const escape = String.fromCharCode(27);
    const colours = new RegExp(`${escape}\\[[0-9;]*m`, "g");
    expect(terminal(plans.severalTablesPlan, { colour: true }).replace(colours, "")).toBe(terminal(plans.severalTablesPlan));
    expect(terminal(plans.severalTablesPlan)).not.toContain(escape);
  });

  it("keeps columns in line where characters are two cells wide", () => {
    const rows = terminal(plans.wideCharactersPlan)
      .split("\n")
      .filter((line) => line.startsWith("  + "));
    const columns = rows.map((line) => displayWidth(line.slice(0, line.indexOf("metadata"))));
    expect(new Set(columns).size).toBe(1);
    expect(rows.length).toBeGreaterThan(3);
  });

  it("never cuts a name, however narrow the terminal", () => {
    for (const width of [20, 40, 60, 80, 100, 200]) {
      const text = terminal(plans.longNamesPlan, { width });
      for (const step of plans.longNamesPlan.tables.flatMap((table) => table.steps)) expect(text).toContain(step.text.subject);
    }
  });

  it("shows every step of 400 tables when asked to", () => {
    const text = terminal(plans.manyTablesPlan, { verbose: true });
    expect(text.match(/^ {2}\+ loaded_by /gm)?.length).toBe(399);
  });

  it("gathers no loss and no rewrite under a shared cause: each table shows its own", () => {
    const lossIn = (name: string, number: number) =>
      plans.tablePlan(name, {
        steps: [{ ...plans.dropLegacyFlag, id: plans.ID(number), place: plans.at("shared/audit.yaml", 3) }],
      });
    const text = terminal(plans.plan(lossIn("a.one", 1), lossIn("a.two", 2), lossIn("a.three", 3)));
    expect(text).not.toContain("changes 3 tables");
    expect(text.match(/^ {2}- legacy_flag/gm)?.length).toBe(3);
  });

  it("quotes what a shell would read otherwise, and gives up the command where it cannot", () => {
    const asked = (selector: string) =>
      terminal(plans.samplePlan, {}, { asked: { ...ASKED, selectors: [selector], excluded: ["it's"], changedSince: "main" } });
    expect(asked("sales.*")).toContain("Next: floeplan apply -e prod 'sales.*' --exclude 'it'\\''s' --changed=main --approve");
    expect(asked("$(rm -rf ~)")).toContain("-e prod '$(rm -rf ~)' --exclude");
    expect(asked("a\nb")).toContain("Next: apply the same tables with `floeplan apply`\n");
    expect(asked("--yes")).not.toContain("--yes");
  });

  it("lets no hostile text act, hide or add a step, whatever the width", () => {
    fc.assert(
      fc.property(hostilePlan(), fc.constantFrom(30, 80, 120), (plan, width) => {
        const text = terminal(plan, { width, verbose: true });
        expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        const lines = text.split("\n");
        expect(lines.filter((line) => line.trimStart().startsWith("::") || line.includes("##["))).toEqual([]);
        const wanted = plan.tables.reduce((sum, table) => sum + table.steps.length + table.drift.length, 0);
        // A row starts with its sign in the third cell; what belongs to it stands further right.
        expect(lines.filter((line) => /^ {2}[+>^~!?-]( |$)/.test(line)).length).toBe(wanted);
        const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
        const plain = terminal(plan, { width, verbose: true, colour: true }).replace(colours, "");
        expect(plain.replace(/ +$/gm, "")).toBe(text.replace(/ +$/gm, ""));
      }),
      { numRuns: 40 },
    );
  });
});
