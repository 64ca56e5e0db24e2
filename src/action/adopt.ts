// Proposes to declare what has drifted: the lines that `import --update` would write, as a pull request that a person
// reads and merges like any other.
import { readUpdates } from "../commands/import-update.ts";
import { isDone } from "../forge/forge-answer.ts";
import { visible } from "../report/escape.ts";
import { markdownCode } from "../report/escape-markdown.ts";
import type { ContextWithForge } from "./context.ts";
import type { OpenedProject } from "./open-project.ts";
import { sayDenied } from "./pull-request-comment.ts";

/** The address of the pull request; null: there is nothing to declare, or it could not be opened. */
export async function proposeAdoption(context: ContextWithForge, opened: OpenedProject): Promise<string | null> {
  const { forge, event, runner, command } = context;
  const branch = "branch" in event ? event.branch : null;
  if (branch === null) return null;
  const { texts } = await readUpdates(command, opened, { catalog: null, withIds: false });
  if (texts.length === 0) return null;
  const { name } = opened.environment;
  const files = texts.map(({ file }) => `- ${markdownCode(file)}`).join("\n");
  const answer = await forge.proposals.propose({
    branch: `floeplan/adopt-${name.replace(/[^A-Za-z0-9._-]/g, "_")}`,
    base: { branch, commit: runner.commit },
    files: new Map(texts.map(({ file, text }) => [`${opened.here.prefix}${file}`, text])),
    title: `Declare what has drifted in ${visible(name)}`,
    body: `Columns that are live in ${markdownCode(name)} and that no file declares. Merging this changes no table.\n\n${files}\n`,
  });
  if (isDone(answer)) return forge.links.pullRequest(answer.value.number);
  sayDenied(context, answer);
  return null;
}
