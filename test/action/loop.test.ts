// The whole loop of a team on AWS as far as it is played here: a pull request is planned, planned again, merged and
// applied with a conversion of real data; a foreign writer adds a column; drift is told, adopted, and gone. Every job is
// the built Action in a process of its own; rows are held against the example's files as hyparquet reads them.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { decompress } from "fzstd";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { foreignColumn } from "../blackbox/glue-foreign.ts";
import { type Lake as Aws, PROJECT, startLake as startAws } from "../blackbox/glue-support.ts";
import { IS_LONG } from "../long.ts";
import { type JobOptions, type JobResult, type Lake, startLake } from "./support.ts";
import { EMPLOYEES, EMPLOYEES_CONVERTED } from "./tables.ts";

const TABLE = "hr.iceberg_employee";
const FILE = "tables/employees.yaml";
const GATED = "floeplan-prod-gated";
const DATA = resolve(import.meta.dirname, "../../examples/employees/warehouse/hr/iceberg_employee/data");

/** What the second push of the pull request declares. */
const BOTH = EMPLOYEES_CONVERTED.replace(
  "validity_enddate, type: string",
  "validity_enddate, type: date, convert: { from: string, format: yyyyMMdd }",
).replace("name_first, type: string", "first_name, type: string, renamed-from: name_first");

type Row = Readonly<Record<string, string | null>>;

let aws: Aws;
let lake: Lake;

beforeAll(async () => {
  aws = await startAws();
  aws.seed();
  lake = await startLake(() => ({ "floeplan.yaml": PROJECT, [FILE]: EMPLOYEES }));
  lake.github.setEnvironment({ name: GATED, reviewers: ["bob"], deploysFrom: "listed" });
});
afterAll(async () => {
  await lake.stop();
  await aws.stop();
});

async function job(
  event: Parameters<Lake["job"]>[0],
  inputs: Readonly<Record<string, string>>,
  options: JobOptions = {},
): Promise<JobResult> {
  return await lake.job(event, inputs, { ...options, variables: aws.variables });
}

const outcome = ({ exit, outputs }: JobResult) => [exit, outputs["status"], outputs["failure-reason"]];

it.runIf(IS_LONG)(
  "goes round: planned, planned again, merged, applied, drifted, adopted, clean",
  async () => {
    const { github } = lake;
    const before = await writtenRows();
    expect(before).toHaveLength(1607);
    expect(await liveRows()).toEqual(sorted(before));

    // A pull request: one comment, and nothing is written.
    const untouched = aws.state(TABLE);
    const { number } = github.openPullRequest({ files: { [FILE]: EMPLOYEES_CONVERTED } });
    expect(outcome(await job(github.eventOf(number, "opened"), { command: "plan" }))).toEqual([0, "changes", ""]);
    const [first, ...others] = github.comments(number);
    expect(others).toEqual([]);
    expect(first?.body).toContain("validity_startdate");
    expect(first?.body).not.toContain("first_name");

    // Another push: the same comment tells the new plan.
    github.pushTo(number, { [FILE]: BOTH });
    const again = await job(github.eventOf(number, "synchronize"), { command: "plan" });
    expect([outcome(again), again.outputs["rewrites"]]).toEqual([[0, "changes", ""], "true"]);
    const updated = github.comments(number);
    expect(updated.map(({ id }) => id)).toEqual([first?.id]);
    for (const subject of ["first_name", "validity_startdate", "validity_enddate"]) expect(updated[0]?.body).toContain(subject);
    expect(github.checks(github.tip(`refs/pull/${number}/head`), "floeplan (prod)")).toMatchObject([{ conclusion: "success" }]);
    expect(aws.state(TABLE)).toEqual(untouched);

    // Merged: the job without a gate leaves the table to the one that somebody lets through.
    const pushed = github.pushEvent(github.merge(number));
    const safe = await job(pushed, { command: "apply", "max-effect": "behaviour" });
    // What lets the gated job of the documented workflow run.
    expect([safe.exit, safe.outputs["rewrites"]]).toEqual([0, "true"]);
    expect(safe.stdout).toContain(`Table "${TABLE}" is left to the gated job`);
    expect(aws.state(TABLE)).toEqual(untouched);
    const gated = await job(pushed, { command: "apply" }, { environment: GATED });
    expect(outcome(gated)).toEqual([0, "applied", ""]);
    expect(github.comments(number)).toHaveLength(1);
    expect(github.comments(number)[0]?.body).toContain("state=applied");

    // One commit, Glue's list in step, and every row as it was but for what was declared.
    expect(aws.metadata(TABLE)["metadata-log"]).toHaveLength(5);
    aws.expectListInStep(TABLE);
    const converted = before.map(({ name_first: name = null, ...row }) => ({
      ...row,
      first_name: name,
      validity_startdate: asDate(row["validity_startdate"]),
      validity_enddate: asDate(row["validity_enddate"]),
    }));
    expect(await liveRows()).toEqual(sorted(converted));

    const drift = async (inputs: Readonly<Record<string, string>> = {}, options: JobOptions = {}): Promise<JobResult> =>
      await job(github.scheduleEvent(), { command: "drift", ...inputs }, options);
    expect(outcome(await drift())).toEqual([0, "no-changes", ""]);
    expect(github.issues()).toEqual([]);

    // Somebody else's job adds a column behind Git's back.
    foreignColumn(aws, TABLE, "by_spark");
    const drifted = await drift();
    expect(outcome(drifted)).toEqual([0, "changes", "drift"]);
    expect(github.issues()).toMatchObject([{ number: Number(drifted.outputs["issue-number"]), isOpen: true }]);
    expect(github.issues()[0]?.body).toContain("by_spark");

    // Adopted: the pull request declares the column, its plan is empty, and merging it changes no table.
    const token = github.newToken({
      permissions: { contents: "write", pull_requests: "write", issues: "write", metadata: "read" },
    });
    expect((await drift({ adopt: "pull-request" }, { token })).exit).toBe(0);
    const proposals = [...github.state.issues.values()].filter((one) => one.pull !== null && one.number !== number);
    expect(proposals).toHaveLength(1);
    const proposal = proposals[0]?.number ?? 0;
    expect(github.issues()[0]?.body).toContain(`/pull/${proposal}`);
    const proposed = await job(github.eventOf(proposal, "opened"), { command: "plan" });
    expect(outcome(proposed)).toEqual([0, "no-changes", ""]);
    const settled = aws.state(TABLE);
    const adopted = await job(github.pushEvent(github.merge(proposal)), { command: "apply" });
    expect([adopted.exit, adopted.outputs["failure-reason"]]).toEqual([0, ""]);
    expect(aws.state(TABLE)).toEqual(settled);

    expect(outcome(await drift())).toEqual([0, "no-changes", ""]);
    expect(github.issues()).toMatchObject([{ isOpen: false }]);
    expect(await liveRows()).toEqual(sorted(converted.map((row) => ({ ...row, by_spark: null }))));
  },
  180_000,
);

/** As Spark wrote them. */
async function writtenRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of readdirSync(DATA)) {
    const { buffer, byteOffset, byteLength } = readFileSync(join(DATA, name));
    const file = buffer.slice(byteOffset, byteOffset + byteLength);
    for (const row of await parquetReadObjects({ file, compressors: { ZSTD: (bytes) => decompress(bytes) } }))
      rows.push(row as Row);
  }
  return rows;
}

async function liveRows(): Promise<readonly Row[]> {
  const ran = await aws.run("show", TABLE, "--glue", "us-east-1", "--format", "json", "--rows", "5000");
  return sorted((JSON.parse(ran.stdout) as { readonly rows: readonly Row[] }).rows);
}

/** The order of rows and of columns says nothing. */
function sorted(rows: readonly Row[]): readonly Row[] {
  const lines = rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
  return lines.sort().map((line) => Object.fromEntries(JSON.parse(line) as [string, string | null][]));
}

function asDate(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}
