// The command validate: the files alone, on any event, without a catalog and without a forge.
import { openProject, isBadProject } from "../../commands/load-targets.ts";
import { run as validate } from "../../commands/validate.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { pathInRepository } from "../../forge/git.ts";
import { findingsOf } from "../../commands/validate.ts";
import type { ActionContext } from "../context.ts";
import { succeeds } from "../plan-outputs.ts";
import type { ActionResult } from "../result.ts";

export async function run({ command, inputs }: ActionContext): Promise<ActionResult> {
  const args = {
    config: inputs.config,
    env: inputs.environment,
    selectors: inputs.tables,
    exclude: inputs.exclude,
    changed: null,
    fix: false,
  };
  const opened = openProject(command, args);
  const found = isBadProject(opened) ? opened.diagnostics : findingsOf(opened, args);
  const { output, sources } = await validate(command, args);
  const errors = hasErrors(found);
  return {
    succeeded: succeeds(inputs.failOn, { errors, warnings: found.some((one) => one.severity === "warning"), drift: false }),
    outputs: { status: errors ? "failed" : "no-changes", "failure-reason": errors ? "invalid-schema" : "" },
    report: output?.kind === "report" ? output.report : null,
    diagnostics: [],
    annotations: found.filter((one) => one.severity !== "note"),
    ...(sources === undefined ? {} : { sources }),
    prefix: (await pathInRepository(opened.root)) ?? "",
    sourceUrl: null,
  };
}
