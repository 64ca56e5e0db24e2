// A project with errors in its files: they stand at their lines, in a check that fails, and in the comment.
import type { BadProject } from "../../commands/load-targets.ts";
import { sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { isDone } from "../../forge/forge-answer.ts";
import type { PullRequest } from "../../forge/forge-pull-request.ts";
import { diagnosticsReport } from "../../report/diagnostics-report.ts";
import { COMMENT_BUDGET } from "../../report/formats/markdown.ts";
import type { Report } from "../../report/report.ts";
import { prose, text } from "../../report/text.ts";
import { planFingerprint } from "../../plan/fingerprint.ts";
import { planCheckName } from "../check-names.ts";
import type { ContextWithForge } from "../context.ts";
import { recordPlan } from "../plan-check.ts";
import { sayDenied, writeComment } from "../pull-request-comment.ts";
import { annotated } from "../annotated.ts";
import type { ActionResult } from "../result.ts";
import { telling } from "../telling.ts";

/** What all plans of a comment may take together; the rest is its frame. */
export const COMMENT_UNITS = COMMENT_BUDGET - 1000;

export async function badProject(
  context: ContextWithForge,
  { diagnostics, sources }: BadProject,
  pullRequest: PullRequest,
): Promise<ActionResult> {
  const { forge, inputs } = context;
  const commit = pullRequest.head.commit;
  const sourceUrl = forge.links.files(commit);
  const found = diagnosticsReport(diagnostics, { sources, checked: null });
  const environment = inputs.environment ?? "";
  const report: Report = {
    ...found,
    headline:
      environment === ""
        ? text`Iceberg plan: the files have errors`
        : text`Iceberg plan for ${environment}: the files have errors`,
    next: prose("mend the files, then push again"),
  };
  const annotations = annotated(sortDiagnostics(diagnostics));
  const check = await telling(context, null, async () => {
    const recorded = await recordPlan(context, {
      name: planCheckName(context, environment === "" ? "files" : environment),
      commit,
      report,
      record: { environment, fingerprint: planFingerprint([]), agreement: "", tables: new Map() },
      state: "failure",
      annotations,
      prefix: "",
      sourceUrl,
      budget: COMMENT_UNITS,
    });
    if (isDone(recorded.check)) return recorded.check.value;
    sayDenied(context, recorded.check);
    return null;
  });
  const names = [environment === "" ? "files" : environment];
  const comment = await writeComment(context, pullRequest, { environments: names, mayCreate: true });
  return {
    succeeded: false,
    outputs: {
      status: "failed",
      "failure-reason": "invalid-schema",
      "check-run-id": check === null ? "" : String(check.id),
      "comment-id": comment === null ? "" : String(comment),
    },
    report,
    diagnostics: [],
    annotations,
    sources,
    prefix: "",
    sourceUrl,
  };
}
