// Pull requests of strangers: their files name catalogs, so nothing that has credentials may follow them there.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { ActionContext } from "./context.ts";

export function refuseStrangers({ event, inputs }: Pick<ActionContext, "event" | "inputs">): void {
  if (event.kind !== "pull-request" || event.from === "repository") return;
  throw new ToolError("usage", `Cannot ${inputs.command} on this pull request`, {
    why: `It comes from ${event.from === "fork" ? "a fork" : "Dependabot"}, and its files would choose which catalog is called`,
    mend: "Use the commands plan and validate on pull requests: they read no catalog for those of strangers",
  });
}
