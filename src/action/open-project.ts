// The project of the checkout: read, and held against the commit that the run is about.
import { relative } from "node:path";
import type { Policy } from "../desired/project-config.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { checkedOut } from "../forge/git.ts";
import { type BadProject, isBadProject, openEnvironment, type SelectedEnvironment } from "../commands/load-targets.ts";
import type { ActionContext } from "./context.ts";
import type { ProjectHere } from "./project-at.ts";

export type OpenedProject = SelectedEnvironment & { readonly here: ProjectHere };

export async function openChecked(context: ActionContext, commit: string): Promise<OpenedProject | BadProject> {
  const { command, inputs, runner } = context;
  const opened = await openEnvironment(command, {
    config: inputs.config,
    env: inputs.environment,
    selectors: inputs.tables,
    exclude: inputs.exclude,
    changed: null,
  });
  const { root } = opened;
  const found = await checkedOut(root);
  if (found !== null && found.commit !== commit) {
    throw new ToolError("usage", `Cannot work on commit ${commit.slice(0, 8)}: another one is checked out`, {
      why: `${found.commit.slice(0, 8)} is checked out`,
      mend: "Use actions/checkout without `ref:`",
    });
  }
  if (isBadProject(opened)) return opened;
  const prefix = found?.prefix ?? slashed(relative(runner.workspace, root));
  return { ...opened, here: { root, file: opened.config.file, prefix } };
}

/** The same environment under another policy. */
export function underPolicy(opened: OpenedProject, policy: Policy | null): OpenedProject {
  return policy === null ? opened : { ...opened, environment: { ...opened.environment, policy } };
}

function slashed(path: string): string {
  return path === "" ? "" : `${path.split("\\").join("/")}/`;
}
