// The command validate: the files alone, on any event, without a catalog and without a forge.
import { openProject } from "../../commands/load-targets.ts";
import { checkFiles } from "../../commands/validate.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { pathInRepository } from "../../forge/git.ts";
import { annotated } from "../annotated.ts";
import type { ActionContext } from "../context.ts";
import { succeeds } from "../plan-outputs.ts";
import type { ActionResult } from "../result.ts";

export async function run({ command, inputs }: ActionContext): Promise<ActionResult> {
  const opened = openProject(command, inputs);
  const { found, report } = checkFiles(opened, { env: inputs.environment });
  const errors = hasErrors(found);
  return {
    succeeded: succeeds(inputs.failOn, { errors, warnings: found.some((one) => one.severity === "warning"), drift: false }),
    outputs: { status: errors ? "failed" : "no-changes", "failure-reason": errors ? "invalid-schema" : "" },
    report,
    diagnostics: [],
    annotations: annotated(found),
    sources: opened.sources,
    prefix: (await pathInRepository(opened.root)) ?? "",
    sourceUrl: null,
  };
}
