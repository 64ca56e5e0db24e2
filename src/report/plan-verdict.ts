// The first lines of a plan's report: the verdict, what must not be overlooked, and a row for every table.
import type { Plan, TablePlan } from "../plan/plan.ts";
import { countsInWords, hasSteps, isInStep } from "./plan-counts.ts";
import { IMPORTANCE, type Alert, type Report, type TableBlock, type Tone } from "./report.ts";
import { EFFECT_IMPORTANCE } from "./step-rows.ts";
import { counted, prose, text, type Text } from "./text.ts";

/** The worst comes first; each part of the verdict is true on its own. */
export function planHeadline(plan: Plan, offline: boolean): { readonly tone: Tone; readonly headline: Text } {
  const { tone, verdict } = verdictOf(plan.tables);
  const of = prose(offline ? ", from the files alone" : "");
  return { tone, headline: text`Iceberg plan for ${plan.environment}${of}: ${prose(verdict)}` };
}

function verdictOf(tables: readonly TablePlan[]): { readonly tone: Tone; readonly verdict: string } {
  const where = (is: (table: TablePlan) => boolean): number => tables.filter(is).length;
  const effect = (wanted: string) => (table: TablePlan) => table.steps.some((step) => step.effect === wanted);
  const lost = tables.reduce((sum, table) => sum + table.steps.filter((step) => step.effect === "destructive").length, 0);
  const rewritten = where(effect("rewrite"));
  const blocked = where((table) => table.blockers.length > 0);
  const drifted = where((table) => table.drift.length > 0);
  const changing = where(hasSteps);

  const parts: string[] = [];
  if (blocked > 0) parts.push(`${counted(blocked, "table")} blocked`);
  if (lost > 0) parts.push(lost === 1 ? "1 step loses data" : `${lost} steps lose data`);
  if (rewritten > 0) parts.push(`${counted(rewritten, "table is", "tables are")} rewritten`);
  if (parts.length === 0 && changing > 0) {
    const mild = tables.every((table) => table.steps.every((step) => step.effect === "metadata"));
    const change = `${counted(changing, "table changes", "tables change")}`;
    parts.push(mild ? `${change}, metadata only` : `${change}, readers or writers notice`);
  }
  if (drifted > 0) parts.push(`${counted(drifted, "table has", "tables have")} drifted`);
  const tone: Tone =
    blocked > 0
      ? "blocked"
      : lost > 0
        ? "lost"
        : rewritten > 0
          ? "rewritten"
          : tables.some(effect("behaviour"))
            ? "behaviour"
            : drifted > 0
              ? "drifted"
              : "good";
  return { tone, verdict: parts.length === 0 ? "no changes" : parts.join(", ") };
}

export function planAlerts(plan: Plan, offline: boolean): Alert[] {
  const blocked = plan.tables.flatMap((table) =>
    table.blockers.map(
      (one): Alert => ({
        tone: "blocked",
        word: "Blocked",
        table: table.table,
        text: prose(one.what),
        place: one.place ?? null,
      }),
    ),
  );
  return [...blocked, ...stepAlerts(plan, offline, "destructive"), ...stepAlerts(plan, offline, "rewrite")];
}

const ALERT = { destructive: { tone: "lost", word: "Lost" }, rewrite: { tone: "rewritten", word: "Rewritten" } } as const;

function stepAlerts(plan: Plan, offline: boolean, effect: keyof typeof ALERT): Alert[] {
  return plan.tables.flatMap((table) =>
    table.steps
      .filter((step) => step.effect === effect)
      .map(({ text: words, place, id }): Alert => {
        const detail = words.detail === "" ? "" : `: ${words.detail}`;
        const step = offline ? prose("") : text`, step ${id.slice(0, 8)}`;
        const said = text`${words.subject} (${words.change})${prose(detail)}${step}`;
        return { ...ALERT[effect], table: table.table, text: said, place };
      }),
  );
}

const EFFECT_IN_A_ROW = [
  [IMPORTANCE.destructive, "data is lost"],
  [IMPORTANCE.rewrite, "data is rewritten"],
  [IMPORTANCE.behaviour, "readers or writers notice"],
  [IMPORTANCE.metadata, "metadata only"],
] as const;

/** Null for one table or none: its section says it. */
export function planOverview(plan: Plan): Report["overview"] {
  const changing = plan.tables.filter((table) => !isInStep(table));
  if (changing.length < 2) return null;
  const rows = changing.map((table): TableBlock["rows"][number] => {
    const worst = Math.max(0, ...table.steps.map((step) => EFFECT_IMPORTANCE[step.effect]));
    const blocked = table.blockers.length > 0;
    const effect = EFFECT_IN_A_ROW.find(([importance]) => importance === worst)?.[1] ?? "nothing is touched";
    return {
      importance: blocked ? IMPORTANCE.blocked : Math.max(worst, table.drift.length > 0 ? IMPORTANCE.drift : 0),
      cells: [text`${table.table}`, prose(countsInWords([table])), prose(blocked ? "blocked" : effect)],
    };
  });
  return {
    kind: "table",
    columns: [
      { title: "Table", align: "left" },
      { title: "What happens", align: "left" },
      { title: "Effect", align: "left" },
    ],
    rows,
  };
}
