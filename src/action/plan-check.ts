// The check run of a plan: the verdict in the merge box, the plan in its summary, the record in its text. Everything is
// made to fit: a record that does not is none, and then the plan cannot be approved by it.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Answer, isDone } from "../forge/forge-answer.ts";
import type { Annotation, Check, CheckState } from "../forge/forge-check.ts";
import { terminalText } from "../report/escape.ts";
import { fitMarkdown } from "../report/formats/markdown.ts";
import type { Report } from "../report/report.ts";
import { plainText } from "../report/text.ts";
import { externalId } from "./check-names.ts";
import type { ContextWithForge } from "./context.ts";
import { type PlanRecord, withoutMild, writeRecord } from "./record.ts";
import { findingText } from "./sentences.ts";

export interface PlanCheck {
  readonly name: string;
  readonly commit: string;
  readonly report: Report;
  readonly record: PlanRecord;
  readonly state: CheckState;
  readonly annotations: readonly Diagnostic[];
  readonly prefix: string;
  readonly sourceUrl: string | null;
  /** UTF-16 units that the plan may take in a comment. */
  readonly budget: number;
}

export interface RecordedCheck {
  readonly check: Answer<Check>;
  /** False: what must be read does not fit, so nothing is approved by it. */
  readonly reviewable: boolean;
}

const LONGEST_TITLE = 250;
/** A check takes 64 KiB of annotations' messages at most; more are in the summary. */
const MOST_ANNOTATIONS = 200;

export async function recordPlan(context: ContextWithForge, plan: PlanCheck): Promise<RecordedCheck> {
  const { forge, runner } = context;
  const limit = forge.limits.checkText;
  const drawn = fitBytes(plan.report, plan.budget, limit, plan.sourceUrl);
  const text = [plan.record, withoutMild(plan.record)].map(writeRecord).find((one) => Buffer.byteLength(one) <= limit);
  const reviewable = drawn.reviewable && text !== undefined;
  const check = await forge.checks.create({
    name: plan.name,
    commit: plan.commit,
    externalId: externalId(context, plan.record.fingerprint),
    state: reviewable ? plan.state : "failure",
    output: {
      title: checkTitle(plan.report),
      summary: drawn.text,
      text: reviewable ? (text ?? null) : writeRecord({ ...plan.record, tables: new Map() }),
      annotations: annotationsOf(plan.annotations, plan.prefix),
    },
    detailsUrl: forge.links.run(runner.runId),
  });
  return { check, reviewable: reviewable && isDone(check) };
}

export function checkTitle({ headline }: Pick<Report, "headline">): string {
  return terminalText(plainText(headline)).slice(0, LONGEST_TITLE);
}

interface Drawn {
  readonly text: string;
  readonly reviewable: boolean;
}

/** The budget counts characters, the check bytes: names of other scripts take more. */
export function fitBytes(report: Report, budget: number, bytes: number, sourceUrl: string | null): Drawn {
  for (let units = budget; ; units = Math.floor(units * 0.7)) {
    const drawn = fitMarkdown(report, { budget: units, sourceUrl });
    if (Buffer.byteLength(drawn.text) <= bytes || !drawn.reviewable) return drawn;
  }
}

function annotationsOf(diagnostics: readonly Diagnostic[], prefix: string): readonly Annotation[] {
  return diagnostics.slice(0, MOST_ANNOTATIONS).flatMap((one): readonly Annotation[] => {
    const { place, severity, code } = one;
    if (place === undefined) return [];
    return [{ file: `${prefix}${place.file}`, line: place.line, severity, title: code, message: findingText(one) }];
  });
}
