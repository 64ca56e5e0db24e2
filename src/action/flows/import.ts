// The command import: writes table files into the workspace, for a later step to look at or to propose.
import { NO_BARE_CATALOG } from "../../commands/arguments.ts";
import { run as importTables } from "../../commands/import.ts";
import type { ActionContext } from "../context.ts";
import { annotated } from "../annotated.ts";
import type { ActionResult } from "../result.ts";
import { refuseStrangers } from "../strangers.ts";

export async function run(context: ActionContext): Promise<ActionResult> {
  const { command, inputs } = context;
  refuseStrangers(context);
  const { exit, output, diagnostics, sources } = await importTables(command, {
    config: inputs.config,
    env: inputs.environment,
    selectors: inputs.tables,
    exclude: inputs.exclude,
    catalog: null,
    ...NO_BARE_CATALOG,
    update: false,
    comments: "iceberg",
    stdout: false,
    withIds: false,
  });
  const succeeded = exit === "ok" || exit === "changes";
  return {
    succeeded,
    outputs: { status: succeeded ? "no-changes" : "failed", "failure-reason": succeeded ? "" : "catalog-error" },
    report: output?.kind === "report" ? output.report : null,
    diagnostics,
    annotations: annotated(diagnostics),
    ...(sources === undefined ? {} : { sources }),
    prefix: "",
    sourceUrl: null,
  };
}
