// A report as Markdown for a comment, a job summary or a file: verdict, alerts, a table of tables, a folded
// section each, what to do next. Fits a budget by importance; alerts are never cut.
import { fitParts, type FitPart } from "../fit.ts";
import { IMPORTANCE, type Alert, type Report, type Tone } from "../report.ts";
import { counted, plainText, prose } from "../text.ts";
import { SECTION_GONE, sectionMarkdown, tableMarkdown, type MarkdownPage } from "./markdown-section.ts";
import { dataMarkdown, placeMarkdown, textMarkdown } from "./markdown-text.ts";

/** What a comment may hold on GitHub, in UTF-16 units; beyond it the call is refused. */
const COMMENT_LIMIT = 65_536;
/** Room for the marker of a sticky comment and for a change of its first line. */
const RESERVE = 5_536;

export interface MarkdownOptions {
  /** UTF-16 units; null: no limit. */
  readonly budget: number | null;
  /** Trusted base address of the files, e.g. `https://github.com/acme/lake/blob/3f9c2ab/`; null: no links. */
  readonly sourceUrl: string | null;
}

export const COMMENT_BUDGET = COMMENT_LIMIT - RESERVE;

export interface FittedMarkdown {
  readonly text: string;
  /** False when not even the alerts fit: such a plan cannot be judged from this text. */
  readonly reviewable: boolean;
  readonly shortened: boolean;
}

/** Signs beside the words, never instead of them. */
const SIGN: Readonly<Record<Tone, string>> = {
  good: "✅",
  added: "✅",
  changed: "✅",
  quiet: "✅",
  behaviour: "⚠️",
  drifted: "⚠️",
  rewritten: "🔁",
  lost: "⛔",
  blocked: "🚫",
};

const BETWEEN = "\n\n";

export function renderMarkdown(report: Report, options: MarkdownOptions): string {
  return fitMarkdown(report, options).text;
}

export function fitMarkdown(report: Report, options: MarkdownOptions): FittedMarkdown {
  const page: MarkdownPage = { sourceUrl: options.sourceUrl, sections: report.sections.length };
  const head = [`### ${SIGN[report.tone]} ${textMarkdown(report.headline)}`, ...summaryMarkdown(report)];
  const alerts = alertsMarkdown(report.alerts, options.sourceUrl);
  const tail = report.next === null ? [] : [`**Next:** ${textMarkdown(report.next)}`];
  const budget = options.budget ?? Number.POSITIVE_INFINITY;
  const fixed = [...head, ...alerts, ...tail].join(BETWEEN).length + LONGEST_REMARK;
  if (fixed > budget) return { text: notReviewable(report, head), reviewable: false, shortened: true };

  const parts = partsOf(report, page);
  const { texts, levels } = fitParts(parts, budget - fixed, BETWEEN.length);
  const shortened = levels.some((level) => level > 0);
  const gone = levels.filter((level, index) => index > 0 && level >= SECTION_GONE).length;
  const remark = shortened ? [shorteningRemark(gone)] : [];
  const all = [...head, ...alerts, ...joinLists(texts), ...remark, ...tail];
  return { text: `${all.join(BETWEEN)}\n`, reviewable: true, shortened };
}

/** A summary that says the headline again is left out. */
function summaryMarkdown({ headline, summary }: Report): string[] {
  return plainText(summary) === `${plainText(headline)}.` ? [] : [textMarkdown(summary)];
}

/** The first part is the overview, every other a section. */
function partsOf(report: Report, page: MarkdownPage): FitPart[] {
  const { overview } = report;
  const overviewPart: FitPart = {
    importance: IMPORTANCE.overview,
    gone: 3,
    draw: (level) =>
      overview === null ? "" : tableMarkdown(overview, level === 0 ? 0 : level === 1 ? IMPORTANCE.behaviour : IMPORTANCE.drift),
  };
  const sections = report.sections.map(
    (section): FitPart => ({
      importance: section.importance,
      gone: SECTION_GONE,
      draw: (level) => sectionMarkdown(section, level, page),
    }),
  );
  return [overviewPart, ...sections];
}

/** Lines of a list that follow each other stay one list. */
function joinLists(texts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const one of texts.filter((candidate) => candidate !== "")) {
    const last = joined.at(-1);
    if (last?.startsWith("- ") === true && one.startsWith("- ")) joined[joined.length - 1] = `${last}\n${one}`;
    else joined.push(one);
  }
  return joined;
}

function alertsMarkdown(alerts: readonly Alert[], sourceUrl: string | null): string[] {
  if (alerts.length === 0) return [];
  const lines = alerts.map((alert) => {
    const place = alert.place === null ? "" : ` · ${placeMarkdown(alert.place, sourceUrl)}`;
    return `> - **${alert.word}** in ${dataMarkdown(alert.table)}: ${textMarkdown(alert.text)}${place}`;
  });
  return [["> [!CAUTION]", ...lines].join("\n")];
}

const LONGEST_REMARK = 200;

function shorteningRemark(gone: number): string {
  const missing = gone === 0 ? "" : `${counted(gone, "section is", "sections are")} left out. `;
  return textMarkdown(prose(`Shortened to fit: ${missing}The plan JSON has everything.`));
}

function notReviewable(report: Report, head: readonly string[]): string {
  const lines = counted(report.alerts.length, "line that must be read does not", "lines that must be read do not");
  const said = prose(`${lines} fit here: the plan JSON has everything.`);
  return `${[...head, `✂️ **Not reviewable here:** ${textMarkdown(said)}`].join(BETWEEN)}\n`;
}
