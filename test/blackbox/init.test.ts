// What `init` writes, what it leaves alone, and what it refuses. The example in the repository is what it writes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { testShell } from "../cli/shell.ts";
import { inside } from "./inside.ts";
import type { Ran } from "./support.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/github");
const WORDS = ["init", "--second-lock", "environment", "--project", "acme-lake"];
const OWNERS = ".github/CODEOWNERS";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "floeplan-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...words: readonly string[]): Promise<Ran> => await inside(folder, words, {});
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const write = (file: string, text: string): void => {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
};

/** Every file below a folder, by its path. */
function filesOf(root: string): Readonly<Record<string, string>> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [relative(root, file), readFileSync(file, "utf8")]));
}

/** The readme is about the example. */
function withoutReadme(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([file]) => file !== "README.md"));
}

describe("init", () => {
  it("writes the example of the repository, byte for byte", async () => {
    const { exit, stdout } = await run(...WORDS);
    expect(exit).toBe(0);
    expect(filesOf(folder)).toEqual(withoutReadme(filesOf(EXAMPLE)));
    expect(Object.keys(filesOf(folder))).toEqual([
      ".github/CODEOWNERS",
      ".github/workflows/floeplan-apply.yml",
      ".github/workflows/floeplan-drift.yml",
      ".github/workflows/floeplan-plan.yml",
      "floeplan.yaml",
      "tables/sales/orders.yaml",
    ]);
    for (const name of ["floeplan-dev", "floeplan-dev-gated", "floeplan-prod", "floeplan-prod-gated"])
      expect(stdout).toContain(`gh api -X PUT "repos/{owner}/{repo}/environments/${name}"`);
    expect(stdout).toContain("4. Set required reviewers on floeplan-dev-gated, floeplan-prod-gated.");
  });

  it("keeps everything when it is run again, also what was changed meanwhile", async () => {
    await run(...WORDS);
    write("floeplan.yaml", `${read("floeplan.yaml")}# ours\n`);
    const before = filesOf(folder);
    const { exit, stdout } = await run(...WORDS, "--owner", "@acme/data-platform");
    expect(exit).toBe(0);
    expect(filesOf(folder)).toEqual(before);
    expect(stdout).not.toContain("wrote");
    expect(stdout.match(/^kept /gm)).toHaveLength(6);
  });

  it("only adds lines to CODEOWNERS: those for paths that have none", async () => {
    write(OWNERS, "* @acme/everybody\n/tables/ @acme/analysts # ours");
    const { stdout } = await run(...WORDS);
    expect(read(OWNERS)).toBe(
      [
        "* @acme/everybody",
        "/tables/ @acme/analysts # ours",
        "/floeplan.yaml @acme/data-platform",
        "/shared/ @acme/data-platform",
        "/.github/workflows/ @acme/data-platform",
        "",
      ].join("\n"),
    );
    expect(stdout).toContain("added  3 lines to .github/CODEOWNERS");
  });

  it("refuses where nobody is there to say which second lock, and asks on a terminal", async () => {
    const { exit, stderr } = await run("init");
    expect([exit, filesOf(folder)]).toEqual([64, {}]);
    expect(stderr).toContain("Cannot choose the second lock");
    expect(stderr).toContain("--second-lock reviews");
    const shell = testShell(["init"], { directory: folder, isTerminal: true });
    shell.stdin.write("n\n");
    expect(await main(shell)).toBe(0);
    expect(read("floeplan.yaml")).toContain("approve:");
  });

  it.each([
    ["--environment", "Prod 1"],
    ["--project", "acme_lake"],
    ["--account", "11112222333"],
    ["--region", "europe"],
    ["--owner", "acme"],
    ["--action", "floeplan"],
    ["--branch", "main; rm -rf ."],
  ])("refuses %s %j, and writes nothing", async (option, value) => {
    const { exit, stderr } = await run("init", "--second-lock", "reviews", option, value);
    expect([exit, filesOf(folder)]).toEqual([64, {}]);
    expect(stderr).toContain(`${option} "${value}"`);
  });

  it("names all that is wrong at once", async () => {
    const { stderr } = await run("init", "--second-lock", "reviews", "--region", "europe", "--owner", "acme");
    expect(stderr).toContain("--region");
    expect(stderr).toContain("--owner");
  });

  it("takes reviews as the second lock: a policy, one job an environment, and no gate", async () => {
    const { stdout } = await run("init", "--second-lock", "reviews", "--owner", "@acme/dwh", "--environment", "prod");
    expect(read("floeplan.yaml")).toContain('policy: { mode: apply, approve: { by: ["@acme/dwh"], count: 1 } }');
    const apply = read(".github/workflows/floeplan-apply.yml");
    expect(apply).toContain("max-effect: destructive");
    expect(apply).not.toContain("gated");
    expect(stdout).toContain("@acme/dwh approves pull requests that rewrite or lose data");
  });

  it.each(["environment", "reviews"])("writes files that hold: validate finds nothing (%s)", async (lock) => {
    await run("init", "--second-lock", lock, "--project", "acme-lake");
    const ran = await run("validate", "--format", "json");
    expect([ran.exit, ran.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ diagnostics: [] });
    expect((await run("fmt", "--check")).exit).toBe(0);
  });

  it("says which file it cannot write", async () => {
    write(".github", "a file where a folder must be\n");
    const { exit, stderr } = await run(...WORDS);
    expect(exit).toBe(77);
    expect(stderr).toContain('Cannot write ".github/workflows/floeplan-plan.yml"');
  });
});
