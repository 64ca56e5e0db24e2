// Markdown for comments: read as a person (goldens), parsed by an independent parser (nothing foreign is markup),
// and fitted to a budget.
import fc from "fast-check";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/plan.ts";
import { fitMarkdown, type FittedMarkdown } from "../../src/report/formats/markdown.ts";
import { planReport } from "../../src/report/plan-report.ts";
import { HOSTILE_TEXTS } from "../hostile/text.ts";
import { oneIn } from "../long.ts";
import { hostilePlan } from "./hostile-plan.ts";
import { foreignMarkup, nodesOf, parseMarkdown, textOf, visibleSteps } from "./markdown-tree.ts";
import * as plans from "./plans.ts";

const BASE = "https://github.com/acme/lake/blob/3f9c2ab/";
const asked = { environmentNamed: true, selectors: [], excluded: [], changedSince: null };

function markdown(plan: Plan, budget: number | null = 60_000, sourceUrl: string | null = BASE): FittedMarkdown {
  return fitMarkdown(planReport(plan, { asked, sources: plans.sources, verbose: false }), { budget, sourceUrl });
}

describe("a plan as Markdown", () => {
  it.each([
    ["sample", plans.samplePlan],
    ["blocked", plans.blockedPlan],
    ["drift", plans.driftPlan],
    ["causes", plans.causesPlan],
    ["notes", plans.notesPlan],
    ["in-step", plans.plan(plans.tablePlan("sales.orders"))],
    ["several-tables", plans.severalTablesPlan],
    ["long-names", plans.longNamesPlan],
  ] as const)("reads well: %s", async (name, plan) => {
    const { text } = markdown(plan);
    await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, "goldens", `${name}.md`));
    expect(foreignMarkup(text, BASE)).toEqual([]);
  });

  it("lets nothing from outside become markup, a link, a mention or a heading", () => {
    fc.assert(
      fc.property(hostilePlan(), fc.constantFrom(null, BASE), (plan, sourceUrl) => {
        expect(foreignMarkup(markdown(plan, null, sourceUrl).text, sourceUrl)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it("survives each hostile text in every place at once", () => {
    for (const name of oneIn(3, HOSTILE_TEXTS)) {
      const finding = { ...plans.narrowed, what: name, why: name, mend: name, table: name, field: name, correctedLine: name };
      const words = { subject: name, change: name, detail: name };
      const steps = [plans.addChannel, plans.dropLegacyFlag].map((step) => ({ ...step, text: { ...step.text, ...words } }));
      const drift = {
        ...plans.driftUtm,
        subject: name,
        what: name,
        origin: name,
        answers: { keep: name, drop: name, leave: `a\n${name}` },
      };
      const parts = {
        file: name,
        steps,
        drift: [drift],
        blockers: [finding],
        notes: [{ ...finding, severity: "note" as const }],
      };
      const table = { ...plans.tablePlan("a.b", parts), table: name, environment: name };
      const { text } = markdown({ ...plans.plan(table, plans.tablePlan("c.d", { steps })), environment: name }, null);
      const nodes = nodesOf(parseMarkdown(text));
      expect(foreignMarkup(text, BASE, nodes)).toEqual([]);
      expect(visibleSteps(text, nodes)).toBe(5);
    }
  });

  it("shows exactly the steps of the plan, whatever they are called", () => {
    fc.assert(
      fc.property(hostilePlan(), (plan) => {
        const wanted = plan.tables.reduce((sum, table) => sum + table.steps.length + table.drift.length, 0);
        expect(visibleSteps(markdown(plan, null).text)).toBe(wanted);
      }),
      { numRuns: 20 },
    );
  });

  it("links only below the given address", () => {
    const links = nodesOf(parseMarkdown(markdown(plans.severalTablesPlan).text)).filter((node) => node.type === "link");
    expect(links.map((link) => link.url)).toContain(`${BASE}tables/sales/orders.yaml#L44`);
    expect(markdown(plans.severalTablesPlan, null, null).text).not.toContain("](");
  });
});

/** One table with many additive steps, one with a drop. */
function bigPlan(additive: number, destructive: number): Plan {
  const steps = Array.from({ length: additive }, (_unused, index) => ({ ...plans.addChannel, id: plans.ID(10_000 + index) }));
  const drops = Array.from({ length: destructive }, (_unused, index) => {
    const words = { ...plans.dropLegacyFlag.text, subject: `gone_${index}` };
    return plans.tablePlan(`lost.table_${index}`, {
      steps: [{ ...plans.dropLegacyFlag, id: plans.ID(50_000 + index), text: words }],
    });
  });
  return plans.plan(plans.tablePlan("sales.orders", { steps }), ...drops, ...plans.manyTablesPlan.tables.slice(0, 399));
}

describe("fitting into a comment", () => {
  it("keeps 400 tables below the limit, the drop in full", async () => {
    const { text, reviewable, shortened } = markdown(plans.manyTablesPlan);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect([reviewable, shortened]).toEqual([true, true]);
    expect(text).toContain("- legacy_flag");
    expect(text).toContain("**Lost** in `sales.orders`: `legacy_flag`");
    expect(foreignMarkup(text, BASE)).toEqual([]);
    await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, "goldens", "400-tables.md"));
  });

  it("never exceeds the budget and never cuts what is lost, rewritten or blocked", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 800, max: 70_000 }),
        (add, drop, budget) => {
          const { text, reviewable } = markdown(bigPlan(add, drop), budget);
          expect(text.length).toBeLessThanOrEqual(budget);
          if (!reviewable) expect(text).toContain("Not reviewable here");
          else for (let index = 0; index < drop; index += 1) expect(text).toContain(`\`gone_${index}\``);
        },
      ),
      { numRuns: 6 },
    );
  });

  it("keeps every alert of a hostile plan at any budget that it calls reviewable", () => {
    fc.assert(
      fc.property(hostilePlan(), fc.integer({ min: 1_000, max: 8_000 }), (plan, budget) => {
        const { text, reviewable } = markdown(plan, budget);
        const nodes = nodesOf(parseMarkdown(text));
        expect(foreignMarkup(text, BASE, nodes)).toEqual([]);
        if (!reviewable) return;
        expect(text.length).toBeLessThanOrEqual(budget);
        const alerts = nodes.filter((node) => node.type === "blockquote").flatMap((quote) => nodesOf(quote));
        const wanted = plan.tables.flatMap((table) => [
          ...table.blockers,
          ...table.steps.filter((step) => step.effect === "destructive" || step.effect === "rewrite"),
        ]);
        expect(alerts.filter((node) => node.type === "listItem").length).toBe(wanted.length);
      }),
      { numRuns: 10 },
    );
  });

  it("says that it is not reviewable when the losses alone are too many", () => {
    const { text, reviewable } = markdown(bigPlan(0, 900));
    expect(reviewable).toBe(false);
    expect(text).toContain("900 steps lose data");
    expect(text).toContain("✂️ **Not reviewable here:** 900 lines that must be read do not fit here");
    expect(text.length).toBeLessThan(1_000);
  });

  it("shortens the mild before the grave", () => {
    const plan = plans.plan(...plans.samplePlan.tables, ...plans.manyTablesPlan.tables.slice(0, 399));
    const full = nodesOf(parseMarkdown(markdown(plan, 12_000).text));
    const summaries = full.filter((node) => node.type === "html").map(textOf);
    expect(summaries.some((summary) => summary.includes("sales.orders"))).toBe(true);
    expect(summaries.some((summary) => summary.includes("lake.table_"))).toBe(false);
  });
});
