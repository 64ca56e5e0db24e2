// Everything that a flow of the Action works with: inputs, event, forge, runner, log, and the context of a command.
import type { CommandContext } from "../commands/ports.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { ForgeEvent } from "../forge/forge-event.ts";
import type { Forge } from "../forge/forge.ts";
import type { Log } from "./log.ts";
import type { Inputs } from "./read-inputs.ts";
import type { Runner } from "./runner.ts";

export interface ActionContext {
  readonly inputs: Inputs;
  readonly event: ForgeEvent;
  /** Of the repository; null where the event does not tell: then no branch counts as it. */
  readonly defaultBranch: string | null;
  /** Null without a token: only what needs no forge can run. */
  readonly forge: Forge | null;
  readonly runner: Runner;
  readonly log: Log;
  readonly command: CommandContext;
  /** The environment of GitHub that this job runs in, as the forge's own token says; null: none, or it cannot be told. */
  readonly jobEnvironment: () => Promise<string | null>;
}

export type ContextWithForge = ActionContext & { readonly forge: Forge };

export function hasForge(context: ActionContext): context is ContextWithForge {
  return context.forge !== null;
}

export function needForge(context: ActionContext): ContextWithForge {
  if (hasForge(context)) return context;
  throw new ToolError("config", "Cannot work without a GitHub token", {
    mend: "Leave `github-token` out: the workflow's own token is taken then",
  });
}

/** What checks, comments and issues are told apart by, where a repository has several projects; null: the usual one. */
export function projectName({ inputs }: Pick<ActionContext, "inputs">): string | null {
  return inputs.config === "floeplan.yaml" ? null : inputs.config;
}

export function projectSuffix(context: Pick<ActionContext, "inputs">): string {
  const name = projectName(context);
  return name === null ? "" : `, ${name}`;
}

/** Base address of the project's files at a commit; `prefix`: its path in the repository. */
export function filesUrl({ forge }: Pick<ContextWithForge, "forge">, commit: string, prefix: string): string {
  return `${forge.links.files(commit)}${prefix}`;
}
