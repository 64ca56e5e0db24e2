// Files with errors, where there is no pull request to tell.
import type { BadProject } from "../../commands/load-targets.ts";
import { sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { diagnosticsReport } from "../../report/diagnostics-report.ts";
import { annotated } from "../annotated.ts";
import type { ActionResult } from "../result.ts";

export function invalidFiles({ diagnostics, sources }: BadProject): ActionResult {
  return {
    succeeded: false,
    outputs: { status: "failed", "failure-reason": "invalid-schema" },
    report: diagnosticsReport(diagnostics, { sources, checked: null }),
    diagnostics: [],
    annotations: annotated(sortDiagnostics(diagnostics)),
    sources,
    prefix: "",
    sourceUrl: null,
  };
}
