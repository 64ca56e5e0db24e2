// Routes of the fake GitHub for check runs: only apps make them, an app changes its own, annotations are added and never
// taken back, texts and numbers of annotations have GitHub's limits.
import { GithubRefusal, json, NOT_FOUND, paged } from "./github-answers.ts";
import { type Route, textIn, textOrUndefined } from "./github-routes.ts";
import { type App, type GithubState, type Json, type StoredCheck, tick, type Token } from "./github-state.ts";
import { checkView } from "./github-views.ts";

const REPO = "/repos/{owner}/{repo}";
const WRITE = [{ permission: "checks", access: "write" }] as const;
const READ = [{ permission: "checks", access: "read" }] as const;
const MEMBERS = ["name", "external_id", "details_url", "status", "conclusion", "started_at", "completed_at", "output"];
const STATUSES = ["queued", "in_progress", "completed"];
const CONCLUSIONS = ["action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"];
const TEXT_BYTES = 65_535;
const MOST_ANNOTATIONS = 50;
const ANNOTATION_MEMBERS = [
  "path",
  "start_line",
  "end_line",
  "start_column",
  "end_column",
  "annotation_level",
  "message",
  "title",
  "raw_details",
];

export const CHECK_ROUTES: readonly Route[] = [
  {
    route: `POST ${REPO}/check-runs`,
    needs: WRITE,
    body: [...MEMBERS, "head_sha"],
    answer: ({ state, token, body }) => {
      const commit = textIn(body, "head_sha");
      if (!/^[0-9a-f]{40}$/.test(commit) || state.git.resolve(commit) === null)
        throw refused(`No commit found for SHA: ${commit}`);
      const check = addCheck(state, { app: requireApp(token), commit, name: textIn(body, "name") });
      try {
        write(check, body, state);
      } catch (error) {
        state.checks.delete(check.id);
        throw error;
      }
      return json(201, checkView(state, check));
    },
  },
  {
    route: `PATCH ${REPO}/check-runs/{id}`,
    needs: WRITE,
    body: MEMBERS,
    answer: ({ state, token, at, body }) => {
      const check = checkAt(state, at("id"));
      if (requireApp(token).id !== check.app.id)
        throw new GithubRefusal(
          403,
          `Invalid app_id \`${check.app.id}\` - check run can only be modified by the GitHub App that created it.`,
        );
      write(check, body, state);
      return json(200, checkView(state, check));
    },
  },
  {
    route: `GET ${REPO}/check-runs/{id}`,
    needs: READ,
    answer: ({ state, at }) => json(200, checkView(state, checkAt(state, at("id")))),
  },
  {
    route: `GET ${REPO}/commits/{commit}/check-runs`,
    needs: READ,
    query: ["check_name", "status", "filter", "app_id"],
    answer: ({ state, at, query, path }) => {
      const commit = state.git.resolve(at("commit"));
      if (commit === null) throw refused(`No commit found for SHA: ${at("commit")}`);
      const named = [...state.checks.values()]
        .filter((one) => one.commit === commit && (query.get("check_name") ?? one.name) === one.name)
        .sort((a, b) => b.id - a.id);
      const found = query.get("filter") === "all" ? named : latestOf(named);
      const items = found.map((one) => checkView(state, one));
      return paged(state, path, query, items, (page) => ({ total_count: items.length, check_runs: page }));
    },
  },
];

export function addCheck(state: GithubState, { app, commit, name }: Pick<StoredCheck, "app" | "commit" | "name">): StoredCheck {
  const check: StoredCheck = {
    id: state.nextId++,
    app,
    commit,
    name,
    externalId: null,
    detailsUrl: null,
    status: "queued",
    conclusion: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    startedAt: tick(state),
    completedAt: null,
  };
  state.checks.set(check.id, check);
  return check;
}

function latestOf(newestFirst: readonly StoredCheck[]): readonly StoredCheck[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ app, name }) => {
    const key = `${app.id} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

function requireApp({ app }: Token): App {
  if (app === null) throw new GithubRefusal(403, "You must authenticate via a GitHub App.");
  return app;
}

function checkAt(state: GithubState, id: string): StoredCheck {
  const check = state.checks.get(Number(id));
  if (check === undefined) throw NOT_FOUND();
  return check;
}

function write(check: StoredCheck, body: Json, state: GithubState): void {
  const conclusion = textOrUndefined(body, "conclusion");
  const status = textOrUndefined(body, "status") ?? (conclusion === undefined ? undefined : "completed");
  if (status !== undefined && !STATUSES.includes(status)) throw refused(`"${status}" is not a member of ${STATUSES.join(", ")}`);
  if (conclusion !== undefined && !CONCLUSIONS.includes(conclusion))
    throw refused(`"${conclusion}" is not a member of ${CONCLUSIONS.join(", ")}`);
  if (status === "completed" && conclusion === undefined) throw refused("Missing required field: conclusion");
  const output = body["output"];
  if (output !== undefined) writeOutput(check, output);
  check.name = textOrUndefined(body, "name") ?? check.name;
  check.externalId = textOrUndefined(body, "external_id") ?? check.externalId;
  check.detailsUrl = textOrUndefined(body, "details_url") ?? check.detailsUrl;
  if (status !== undefined) {
    check.status = status;
    check.conclusion = conclusion ?? null;
    check.completedAt = status === "completed" ? tick(state) : null;
  }
}

function writeOutput(check: StoredCheck, value: unknown): void {
  const output = membersOf(value, ["title", "summary", "text", "annotations", "images"]);
  const title = textIn(output, "title");
  const summary = textIn(output, "summary");
  const text = textOrUndefined(output, "text");
  for (const part of [title, summary, text ?? ""]) {
    const bytes = Buffer.byteLength(part);
    if (bytes > TEXT_BYTES) throw refused(`Only ${TEXT_BYTES} characters are allowed; ${bytes} were supplied.`);
  }
  const annotations = output["annotations"] ?? [];
  if (!Array.isArray(annotations)) throw refused("annotations is not an array.");
  if (annotations.length > MOST_ANNOTATIONS)
    throw refused(`No more than ${MOST_ANNOTATIONS} items are allowed; ${annotations.length} were supplied.`);
  const checked = annotations.map(checkedAnnotation);
  check.title = title;
  check.summary = summary;
  check.text = text ?? check.text;
  check.annotations.push(...checked);
}

function checkedAnnotation(value: unknown): Json {
  const one = membersOf(value, ANNOTATION_MEMBERS);
  const path = textIn(one, "path");
  if (path === "" || path.startsWith("/") || path.startsWith("./")) throw refused(`path "${path}" is not below the repository`);
  if (!["notice", "warning", "failure"].includes(textIn(one, "annotation_level")))
    throw refused("annotation_level is not a member of notice, warning, failure");
  const start = numberIn(one, "start_line");
  const end = numberIn(one, "end_line");
  if (end < start) throw refused("end_line must not be before start_line");
  if (start !== end && (one["start_column"] !== undefined || one["end_column"] !== undefined)) {
    throw refused("start_column and end_column are allowed only on one line");
  }
  if ((textOrUndefined(one, "title") ?? "").length > 255) throw refused("Only 255 characters are allowed in a title.");
  const message = textIn(one, "message");
  if (message === "" || Buffer.byteLength(message) > 65_536) throw refused("The message is empty, or longer than 64 KB");
  return one;
}

function numberIn(value: Json, name: string): number {
  const found = value[name];
  if (typeof found !== "number" || !Number.isInteger(found) || found < 1) throw refused(`"${name}" is not a line.`);
  return found;
}

function membersOf(value: unknown, known: readonly string[]): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused("It is not an object.");
  for (const name of Object.keys(value)) if (!known.includes(name)) throw new Error(`A check has no member "${name}"`);
  return { ...value };
}

function refused(why: string): GithubRefusal {
  return new GithubRefusal(422, `Invalid request.\n\n${why}`);
}
