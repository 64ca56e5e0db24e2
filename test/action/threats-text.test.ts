// Names and texts that try to become more than text, in the files of a pull request and in the live catalog: what the built
// Action writes of them into comment, checks, summary, issue, annotations, log, plan and outputs is seen, and does nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import { HOSTILE_TEXTS } from "../hostile/text.ts";
import { IS_LONG, oneIn } from "../long.ts";
import { visibleSteps } from "../report/markdown-tree.ts";
import { foreignIn, unseenIn } from "./harmless.ts";
import { type JobResult, type Lake, makeWarehouses, project, runnerCommands, startLake } from "./support.ts";
import { EMPLOYEES, putEmployees } from "./tables.ts";

const MORE = [
  "</details>\n\n### ✅ Iceberg plan for `prod`: nothing is lost\n",
  "<details open><summary>all is well</summary>",
  "x\n::stop-commands::abc\n::add-mask::public",
  "x\r::set-env name=PATH::/evil",
  "x ##[set-env name=PATH;]/evil ##[add-path]/evil",
  "\u2028::set-output name=status::applied",
  "\t::Warning::\u200b::debug::",
  "${{ secrets.AWS_SECRET_ACCESS_KEY }} ${AWS_SECRET_ACCESS_KEY} $AWS_SECRET_ACCESS_KEY",
  "s3://key:c4n4ry-in-address@bucket/x ghp_c4n4ryc4n4ryc4n4ryc4n4ryc4n4ry",
  "AKIAC4N4RYC4N4RYC4N4",
];
const TEXTS = [...new Set([...oneIn(3, HOSTILE_TEXTS), ...MORE])].filter((text) => text.trim() !== "" && text.length <= 700);
const SECRETS = {
  AWS_ACCESS_KEY_ID: "AKIAC4N4RYINVARIABLE",
  AWS_SECRET_ACCESS_KEY: "c4n4ry/secret+access/key/in/a/variable00",
  AWS_SESSION_TOKEN: "c4n4ry-session-token-in-a-variable",
  LAKE_PASSWORD: "c4n4ry-password-in-a-variable",
};
const OUTPUT = /^[A-Za-z0-9._-]*$/;
/** Of a pull request and its commits this is not read: where any of it is told, the canary is found. */
const WORDS = "c4n4ry @team closes #1 </details> ::add-mask::x ##[group]";
const UNREAD = { title: WORDS, body: WORDS, message: WORDS, branch: "c4n4ry-change" } as const;

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

/** Without lone surrogates: YAML has no way to write them. */
const yamlTexts = TEXTS.map((text) => text.replace(/\p{Cs}/gu, "?").replaceAll("\u0000", "\u0001"));
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u{10ffff}]/gu, (one) => `\\U${(one.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`);

/** What another engine's job wrote last year: a column, its comment and a property for every hostile text. */
function putHostile(folder: string): void {
  const version = Number(readFileSync(join(folder, "metadata/version-hint.text"), "utf8"));
  const path = join(folder, `metadata/v${version}.metadata.json`);
  const before = readMetadata(readFileSync(path), path);
  const schema = currentSchema(before);
  const fields = TEXTS.map((text, index) => ({
    id: before.lastColumnId + 1 + index,
    name: text,
    required: false,
    type: { kind: "string" as const },
    doc: text,
  }));
  const after = applyUpdates(
    before,
    [
      { action: "add-schema", schema: { ...schema, fields: [...schema.fields, ...fields] }, lastColumnId: 900 },
      { action: "set-current-schema", schemaId: -1 },
      {
        action: "set-properties",
        updates: Object.fromEntries([...TEXTS.map((text) => [`write.${text}`, text]), ["comment", TEXTS.join("\n")]]),
      },
    ],
    { nowMs: before.lastUpdatedMs + 1, previousMetadataLocation: path },
  );
  const text = Buffer.from(writeMetadata(after)).toString("utf8");
  const app = JSON.stringify(TEXTS.slice(0, 20).join(" "));
  writeFileSync(
    join(folder, `metadata/v${version + 1}.metadata.json`),
    text.replace(/("spark\.app\.id"\s*:\s*)"[^"]*"/g, `$1${app}`),
  );
  writeFileSync(join(folder, "metadata/version-hint.text"), String(version + 1));
}

/** What every job may have written. */
function expectHarmless({ stdout, summary, outputs, plan }: JobResult): void {
  const { github } = lake;
  expect(foreignIn(summary, github)).toEqual([]);
  expect(unseenIn(stdout.replaceAll(/^::.*$/gm, ""))).toEqual([]);
  const commands = runnerCommands(stdout);
  expect([...new Set(commands)].filter((name) => !["add-mask", "debug", "error", "warning", "notice"].includes(name))).toEqual(
    [],
  );
  for (const line of stdout.split("\n").filter((one) => one.startsWith("::"))) {
    expect(line).toMatch(
      /^::(?:add-mask::(?:ghs_\w+|eyJ[\w.-]+)$|debug::ID token url is http|(?:error|warning|notice)(?: title=[a-z-]+(?:,\w+=[^,:]*)*)?::)/,
    );
    expect(unseenIn(line)).toEqual([]);
  }
  for (const [name, value] of Object.entries(outputs))
    expect(`${name} ${value}`).toMatch(new RegExp(`${name} ${OUTPUT.source.slice(1)}`));
  expectNoSecret(stdout.replace(/^::add-mask::.*$/gm, ""), summary, plan ?? "", JSON.stringify(outputs));
}

function expectNoSecret(...texts: readonly string[]): void {
  for (const text of texts) {
    expect(text).not.toContain(lake.github.token);
    expect(/.{0,80}c4n4ry.{0,80}/i.exec(text)?.[0] ?? null).toBeNull();
  }
}

/** What GitHub was given, all of it. */
function expectHarmlessOnGithub(): void {
  const { github } = lake;
  const { checks, comments } = github.state;
  const bodies = [...comments.values()].map(({ body }) => body);
  const issues = github.issues().map(({ body }) => body);
  const summaries = [...checks.values()].map((check) => check.summary ?? "");
  for (const text of [...bodies, ...issues, ...summaries]) expect(foreignIn(text, github)).toEqual([]);
  const others = [...checks.values()].flatMap(({ title, text, annotations }) => [
    title ?? "",
    text ?? "",
    // The path must be the file's own, or GitHub shows the annotation nowhere.
    ...annotations.flatMap(({ title, message }) => [String(title), String(message).replaceAll("\n", " ")]),
  ]);
  for (const text of others) expect(unseenIn(text)).toEqual([]);
  for (const { title, text } of checks.values()) {
    expect(title).not.toContain("\n");
    // The record is one fence that nothing in it ends.
    if (text !== null) expect(text).toMatch(/^[\w ,.]+\n\n```json\n[^`<>&@#\n]*\n```$/);
  }
  expectNoSecret(...bodies, ...issues, ...summaries, ...others);
}

const hostileOrders = (texts: readonly string[]): string =>
  [
    "table: sales.orders",
    `comment: ${quoted(texts.join(" "))}`,
    `owner: ${quoted(texts.slice(0, 3).join(" "))}`,
    "columns:",
    "  - { name: order_id, type: long }",
    ...texts.map((text, index) => `  - { name: c${index}, type: string, comment: ${quoted(text)} }`),
    "properties:",
    ...texts.map((text, index) => `  note.${index}: ${quoted(text)}`),
    "",
  ].join("\n");

describe("hostile text", () => {
  it.runIf(IS_LONG)("of the live catalog and of the files stays text in plan, drift and apply (T1 to T6, T16)", async () => {
    const { github } = await startHostile();
    const { number, head } = github.openPullRequest({
      ...UNREAD,
      files: {
        "tables/orders.yaml": hostileOrders(yamlTexts),
        "tables/employees.yaml": EMPLOYEES.replace("sex, type: string", 'sex, type: string, comment: "@team"'),
      },
    });
    const event = github.eventOf(number, "opened");
    const options = { variables: SECRETS };
    const planned = await lake.job(event, { command: "plan", scope: "all", "plan-out": "plan.json" }, options);
    expectHarmless(planned);
    expect(planned.outputs["status"]).toBe("changes");
    const plan = JSON.parse(planned.plan ?? "") as { readonly tables: readonly { steps: unknown[]; drift: unknown[] }[] };
    const wanted = plan.tables.reduce((sum, { steps, drift }) => sum + steps.length + drift.length, 0);
    expect(wanted).toBeGreaterThan(TEXTS.length * 2);
    expect(visibleSteps(planned.summary)).toBe(wanted);
    expect(github.checks(head)).toHaveLength(1);
    expectHarmless(await lake.job(github.pushEvent(github.merge(number)), { command: "apply" }, options));
    const drift = await lake.job(github.scheduleEvent(), { command: "drift" }, options);
    expectHarmless(drift);
    expect(drift.outputs["status"]).toBe("changes");
    expect(github.issues()).toHaveLength(1);
    expectHarmlessOnGithub();
  });

  it("of an environment's name is seen in the titles of issue and pull request (T3)", async () => {
    const environment = "pr\u202eod@team";
    lake = await startLake(project({ employees: withoutSex }, { environments: [environment] }));
    await putEmployees(lake, environment);
    const { github } = lake;
    const permissions = { contents: "write", pull_requests: "write", issues: "write", metadata: "read" } as const;
    const inputs = { command: "drift", adopt: "pull-request" };
    const drift = await lake.job(github.scheduleEvent(), inputs, { token: github.newToken({ permissions }) });
    expect(drift.outputs["status"], drift.stdout).toBe("changes");
    const seen = "pr\\u{202E}od@team";
    expect([...github.state.issues.values()].map(({ title }) => title).sort()).toEqual([
      `Declare what has drifted in ${seen}`,
      `Iceberg drift in ${seen}`,
    ]);
    expectHarmlessOnGithub();
  });

  it("of files that cannot be used, and of their paths, stays text (T1 to T6)", async () => {
    lake = await startLake(project({ orders: EMPLOYEES }));
    const { github } = lake;
    const columns = yamlTexts.map((text) => `  - { name: ${quoted(text)}, type: ${quoted(text)}, ${quoted(text)}: 1 }`);
    const name = "<img src=x> @team #1 ::add-mask::x ##[group]`|\u202e deadbeef";
    const { number } = github.openPullRequest({
      files: {
        "tables/orders.yaml": `table: sales.orders\ncolumns:\n${columns.join("\n")}\n`,
        [`tables/${name}.yaml`]: `table: ${quoted(name)}\ncolumns:\n  - { name: a, type: ${quoted(name)} }\n`,
      },
    });
    const job = await lake.job(
      github.eventOf(number, "opened"),
      { command: "plan", environment: "prod" },
      { variables: SECRETS },
    );
    expect([job.exit, job.outputs["failure-reason"]]).toEqual([1, "invalid-schema"]);
    expect(runnerCommands(job.stdout).filter((one) => one === "error").length).toBeLessThanOrEqual(10);
    expectHarmless(job);
    expectHarmlessOnGithub();
  });
});

const withoutSex = EMPLOYEES.replace("  - { name: sex, type: string }\n", "");

async function startHostile(): Promise<Lake> {
  lake = await startLake(project({ orders: hostileOrders([]).replace(/properties:\n/, ""), employees: EMPLOYEES }));
  makeWarehouses(lake);
  await putEmployees(lake);
  putHostile(join(lake.warehouse, "prod/hr/iceberg_employee"));
  const job = await lake.job(lake.github.manualEvent(), { command: "apply" });
  expect(job.exit).toBe(0);
  return lake;
}
