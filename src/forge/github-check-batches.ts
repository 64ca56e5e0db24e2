// Sends a check in as many calls as its annotations need: it is `running` until the last of them is there. Annotations
// are added and never taken back, so a call without an answer is sent again only where they are not there.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { Check, NewCheck } from "./forge-check.ts";
import { inBatches } from "./github-annotations.ts";
import { outputValues, readCheck, stateValues } from "./github-check-run.ts";
import type { GithubClient } from "./github-client.ts";
import { numberOrNull } from "./github-read.ts";

/** `what`: for the denial. */
export async function updateInBatches(
  client: GithubClient,
  id: number,
  { state, output }: Pick<NewCheck, "state" | "output">,
  what: string,
): Promise<Answer<Check>> {
  const batches = inBatches(output.annotations);
  let answer: Answer<unknown> = done(null);
  for (const [at, batch] of batches.entries()) {
    const isLast = at === batches.length - 1;
    const values = { id, ...stateValues(isLast ? state : "running"), output: outputValues(output, batch) };
    answer = await sendBatch(client, values, batch.length, what);
    if (!isDone(answer)) return answer;
  }
  return mapAnswer(answer, readCheck);
}

async function sendBatch(
  client: GithubClient,
  values: Readonly<Record<string, unknown>> & { readonly id: number },
  added: number,
  what: string,
): Promise<Answer<unknown>> {
  const words = { what, permission: "checks: write", missing: "missing" } as const;
  const route = "/repos/{owner}/{repo}/check-runs/{id}";
  const send = async (): Promise<Answer<unknown>> =>
    await client.call({ route: `PATCH ${route}`, values, makesNew: added > 0, ...words });
  if (added === 0) return await send();
  const read = async (): Promise<Answer<unknown>> =>
    await client.call({ route: `GET ${route}`, values: { id: values.id }, ...words });
  const before = countOf(await read());
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "unavailable") throw error;
    const after = await read();
    return countOf(after) >= before + added ? after : await send();
  }
}

function countOf(answer: Answer<unknown>): number {
  return (isDone(answer) ? numberOrNull(answer.value, "output", "annotations_count") : null) ?? 0;
}
