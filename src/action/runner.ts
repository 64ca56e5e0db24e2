// What the runner says of this run, read once from its variables. Knows no forge and no table.
import { resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";

export interface Runner {
  readonly workspace: string;
  /** A folder that is emptied after the job. */
  readonly temp: string;
  readonly runId: string;
  readonly attempt: string;
  /** GITHUB_EVENT_NAME, GITHUB_SHA, GITHUB_REF. */
  readonly eventName: string;
  readonly commit: string;
  readonly ref: string;
  readonly eventPath: string;
  /** Null: this server has no summaries. */
  readonly summaryPath: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

export function readRunner(variables: Variables): Runner {
  const needed = (name: string): string => {
    const value = variables[name] ?? "";
    if (value !== "") return value;
    throw new ToolError("config", `Cannot run as an action: ${name} is not set`, {
      mend: "The runner of GitHub Actions sets it; on a terminal use the command `floeplan`",
    });
  };
  return {
    workspace: resolve(needed("GITHUB_WORKSPACE")),
    temp: resolve(needed("RUNNER_TEMP")),
    runId: digits(needed("GITHUB_RUN_ID"), "GITHUB_RUN_ID"),
    attempt: digits(variables["GITHUB_RUN_ATTEMPT"] ?? "1", "GITHUB_RUN_ATTEMPT"),
    eventName: needed("GITHUB_EVENT_NAME"),
    commit: needed("GITHUB_SHA"),
    ref: variables["GITHUB_REF"] ?? "",
    eventPath: needed("GITHUB_EVENT_PATH"),
    summaryPath: orNull(variables["GITHUB_STEP_SUMMARY"]),
  };
}

function digits(text: string, name: string): string {
  if (/^\d{1,20}$/.test(text)) return text;
  throw new ToolError("config", `Cannot use ${name}`, { why: `It is "${text}", and must be a number` });
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}
