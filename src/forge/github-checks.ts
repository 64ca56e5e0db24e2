// Check runs on GitHub: the newest own one of a commit, a new one, a changed one.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { Annotation, Check, Checks, NewCheck } from "./forge-check.ts";
import { inBatches } from "./github-annotations.ts";
import { updateInBatches } from "./github-check-batches.ts";
import { outputValues, readCheck, stateValues, tooLongOutput } from "./github-check-run.ts";
import type { GithubClient } from "./github-client.ts";
import type { GithubPeople } from "./github-people.ts";
import { numberOf, textOrNull } from "./github-read.ts";

export function githubChecks(client: GithubClient, people: GithubPeople): Checks {
  const latest: Checks["latest"] = async (commit, name) => await newestOwn(client, people, commit, name);
  return {
    latest,
    create: async (check) => {
      const what = `Cannot record the check "${check.name}"`;
      const limit = tooLongOutput(check.output, what);
      if (limit !== null) return limit;
      const [first = [], ...others] = inBatches(check.output.annotations);
      const started = others.length === 0 ? check : ({ ...check, state: "running" } as const);
      const made = await createOnce(client, latest, started, first, what);
      if (!isDone(made) || others.length === 0) return made;
      const rest = { state: check.state, output: { ...check.output, annotations: others.flat() } };
      return await updateInBatches(client, made.value.id, rest, what);
    },
    update: async (id, change) => {
      const what = "Cannot change the check";
      return tooLongOutput(change.output, what) ?? (await updateInBatches(client, id, change, what));
    },
  };
}

/** Where no answer comes, it is looked for by its external id before it is sent again. */
async function createOnce(
  client: GithubClient,
  latest: Checks["latest"],
  check: NewCheck,
  annotations: readonly Annotation[],
  what: string,
): Promise<Answer<Check>> {
  const send = async (): Promise<Answer<Check>> => {
    const answer = await client.call({
      route: "POST /repos/{owner}/{repo}/check-runs",
      values: {
        name: check.name,
        head_sha: check.commit,
        external_id: check.externalId,
        ...(check.detailsUrl === null ? {} : { details_url: check.detailsUrl }),
        ...stateValues(check.state),
        output: outputValues(check.output, annotations),
      },
      makesNew: true,
      what,
      permission: "checks: write",
      missing: "forbidden",
    });
    return mapAnswer(answer, readCheck);
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "unavailable") throw error;
    const found = await latest(check.commit, check.name);
    const same = isDone(found) && found.value?.externalId === check.externalId ? found.value : null;
    return same === null ? await send() : done(same);
  }
}

/** Any app with the right may make a check of that name: the app of the token itself counts. */
async function newestOwn(
  client: GithubClient,
  people: GithubPeople,
  commit: string,
  name: string,
): Promise<Answer<Check | null>> {
  const what = `Cannot read the check "${name}"`;
  const self = await people.self();
  if (self === null) return { kind: "refused", what, why: "GitHub does not tell which app the token is of" };
  const all = await client.list({
    route: "GET /repos/{owner}/{repo}/commits/{commit}/check-runs",
    values: { commit, check_name: name, filter: "all" },
    what,
    permission: "checks: read",
    missing: "missing",
  });
  return mapAnswer(all, (items) => {
    const own = items.filter(
      (item) => textOrNull(item, "name") === name && `${textOrNull(item, "app", "slug") ?? ""}[bot]` === self.login,
    );
    const [newest] = own.sort((a, b) => numberOf(b, "id") - numberOf(a, "id"));
    return newest === undefined ? null : readCheck(newest);
  });
}
