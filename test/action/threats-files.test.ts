// Files that a stranger or a branch brings: bombs, links out of the project, catalogs that are not ours. What is outside of
// the workspace is neither read nor written, and no call bears credentials to where a stranger's file says.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type JobResult, type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { ORDERS, withColumn } from "./tables.ts";

const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "c4n4ry/secret+access/key/in/a/variable00",
  AWS_REGION: "eu-west-1",
};
const CANARY = "c4n4ry-in-a-file-outside";

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

const said = ({ stdout, summary, plan }: JobResult): string => `${stdout}\n${summary}\n${plan ?? ""}`;

describe("links in a checkout", () => {
  /** `link`: its place in the workspace; what it leads to lies outside and holds a secret. */
  async function planWith(link: string, target: string, inputs: Readonly<Record<string, string>> = {}): Promise<JobResult> {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    return await lake.job(
      lake.github.scheduleEvent(),
      { command: "plan", ...inputs },
      {
        prepare: (workspace) => {
          const outside = join(workspace, "../outside");
          mkdirSync(outside);
          writeFileSync(join(outside, "file.yaml"), `table: ${CANARY}: [\n`);
          rmSync(join(workspace, link), { recursive: true, force: true });
          symlinkSync(target, join(workspace, link));
        },
      },
    );
  }

  it.each([
    ["tables/x.yaml", "../../outside/file.yaml"],
    ["tables/x.yaml", "/proc/self/environ"],
    ["tables/folder", "../../outside"],
    ["tables", "../outside"],
    ["floeplan.yaml", "../outside/file.yaml"],
    ["floeplan.yaml", "/proc/self/environ"],
    ["floeplan.yaml", "../outside/none.yaml"],
  ])("%s → %s: nothing behind it is read or told (T8)", async (link, target) => {
    const job = await planWith(link, target);
    expect(said(job)).toMatch(/link-leaves-project|A link leads out of the workspace/);
    expect(said(job)).not.toContain(CANARY);
    expect(said(job)).not.toContain("GITHUB_WORKSPACE=");
  });

  it("do not lead the plan file out of the workspace (T8)", async () => {
    for (const [link, target, path] of [
      ["plan.json", "../outside/plan.json", "plan.json"],
      ["plans", "../outside", "plans/plan.json"],
      ["plans", "../nowhere", "plans/deep/plan.json"],
    ] as const) {
      const job = await planWith(link, target, { "plan-out": path });
      expect(job.exit).toBe(1);
      expect(job.stdout).toContain("A link leads out of the workspace");
      expect(existsSync(join(lake.warehouse, "../job-1/outside/plan.json"))).toBe(false);
      expect(existsSync(join(lake.warehouse, "../job-1/nowhere"))).toBe(false);
      if (path !== "plans/deep/plan.json") await lake.stop();
    }
  });

  it.each(["../floeplan.yaml", "/etc/passwd"])("and paths: the project file is not %s (T8)", async (config) => {
    lake = await startLake(project({ orders: ORDERS }));
    const job = await lake.job(lake.github.scheduleEvent(), { command: "validate", config });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "failed"]);
    expect(job.stdout).toContain("is outside of the workspace");
  });
});

describe("a runner that is kept", () => {
  it("has nothing left of a job but the plan that was asked for, which nobody else may read (T24)", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    const { github } = lake;
    let workspace = "";
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "a") } });
    let before: readonly string[] = [];
    const job = await lake.job(
      github.eventOf(number, "opened"),
      { command: "plan", "plan-out": "out/plan.json" },
      {
        prepare: (folder) => {
          workspace = folder;
          before = readdirSync(folder);
        },
      },
    );
    expect(job.exit).toBe(0);
    expect(readdirSync(join(workspace, "../temp"))).toEqual([]);
    expect(readdirSync(workspace).filter((name) => !before.includes(name))).toEqual(["out"]);
    expect(statSync(join(workspace, "out/plan.json")).mode & 0o077).toBe(0);
  });
});

describe("a bomb", () => {
  it("of YAML is refused in no time (T7)", async () => {
    const lines = Array.from({ length: 12 }, (_, level) => {
      const inner = level === 0 ? '"lol"' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 10 }, () => inner).join(", ")}]`;
    });
    lake = await startLake(project({ orders: `${ORDERS}meta:\n${lines.map((line) => `  ${line}\n`).join("")}` }));
    const started = Date.now();
    const job = await lake.job(lake.github.scheduleEvent(), { command: "validate" });
    expect([job.exit, job.outputs["failure-reason"]]).toEqual([1, "invalid-schema"]);
    expect(job.stdout).toMatch(/alias/);
    expect(Date.now() - started).toBeLessThan(20_000);
  });
});

describe("a stranger's pull request", () => {
  it("calls no catalog, also where the job has credentials and the files name one (T18)", async () => {
    const calls: string[] = [];
    const server = createServer((request, response) => {
      calls.push(`${request.method ?? ""} ${request.url ?? ""}`);
      response.writeHead(500).end();
    });
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    try {
      const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      lake = await startLake(project({ orders: ORDERS }));
      const { github } = lake;
      const config = readConfig().replace(/\{ lake: \{.*\} \}/, `{ lake: { type: rest, uri: "${uri}", warehouse: w } }`);
      const files = { "floeplan.yaml": config, "tables/orders.yaml": withColumn(ORDERS, "a") };
      const variables = { ...CREDENTIALS, AWS_ENDPOINT_URL: uri };
      const fork = github.openPullRequest({ files, fork: "mallory/lake", author: "mallory" });
      const bot = github.openPullRequest({ files, author: "dependabot[bot]", branch: "dependabot/x" });
      for (const { number } of [fork, bot]) {
        for (const command of ["plan", "validate", "drift", "import", "apply"]) {
          const job = await lake.job(github.eventOf(number, "opened"), { command }, { variables });
          expect([command, job.exit]).toEqual([command, command === "plan" || command === "validate" ? 0 : 1]);
          expect([command, calls]).toEqual([command, []]);
        }
      }
      expect([...github.state.checks.values(), ...github.state.comments.values()]).toEqual([]);
      // The trap works: the repository's own pull request goes there.
      const own = github.openPullRequest({ files });
      await lake.job(github.eventOf(own.number, "opened"), { command: "plan" }, { variables });
      expect(calls).not.toEqual([]);
    } finally {
      server.close();
    }
  });
});

function readConfig(): string {
  const folder = join(lake.warehouse, "../read");
  lake.github.checkout(folder, lake.github.tip(), 1);
  return readFileSync(join(folder, "floeplan.yaml"), "utf8");
}
