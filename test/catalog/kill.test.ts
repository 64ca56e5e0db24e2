// A writer that is killed at any moment leaves a table that loads, with every commit that it was told of.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from "vitest";
import { createLocalCatalog } from "../../src/catalog/local.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { createLocalStore } from "../../src/storage/local.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { IS_LONG } from "../long.ts";

const ROUNDS = IS_LONG ? 5 : 3;
let program: string;
let warehouse: string;

beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), "floeplan-kill-program-"));
  const input = fileURLToPath(new URL("./kill-loop.ts", import.meta.url));
  await build({ input, platform: "node", logLevel: "silent", output: { file: join(program, "loop.mjs") } });
});
afterAll(async () => await rm(program, { recursive: true, force: true }));

beforeEach(async () => {
  warehouse = await mkdtemp(join(tmpdir(), "floeplan-kill-"));
});
afterEach(async () => await rm(warehouse, { recursive: true, force: true }));

const openCatalog = (): ReturnType<typeof createLocalCatalog> =>
  createLocalCatalog({ name: "lake", warehouse, store: createLocalStore(), ports: systemPorts() });

interface Run {
  readonly begun: number;
  readonly done: number;
}

/** Lets the program run until it has said `word` once, and a random moment more, then kills it. */
async function runAndKill(writer: string, mode: "commit" | "create", word: "begin" | "done"): Promise<Run> {
  const child: ChildProcess = spawn(process.execPath, [join(program, "loop.mjs"), warehouse, writer, mode]);
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resume) => child.on("close", (_, signal) => resume(signal)));
  const deadline = Date.now() + 15_000;
  while (!output.includes(word) && Date.now() < deadline) await new Promise((resume) => setTimeout(resume, 2));
  await new Promise((resume) => setTimeout(resume, Math.random() * 40));
  child.kill("SIGKILL");
  expect([await ended, errors]).toEqual(["SIGKILL", ""]);
  const last = (word: string): number =>
    Number(
      output
        .match(new RegExp(`${word} (\\d+)`, "g"))
        ?.at(-1)
        ?.split(" ")[1] ?? 0,
    );
  return { begun: last("begin"), done: last("done") };
}

it("loses no commit and leaves no half a file when two writers are killed", { timeout: 60_000 }, async () => {
  const catalog = openCatalog();
  await catalog.createNamespace(["sales"]);
  const table = { identifier: { namespace: ["sales"], name: "orders" }, location: null };
  const properties = { "write.metadata.previous-versions-max": "4", "write.metadata.delete-after-commit.enabled": "true" };
  done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table), properties)));
  const metadata = join(warehouse, "sales/orders/metadata");
  const counts = { a: 0, b: 0 };
  let commits = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const runs = await Promise.all([runAndKill("a", "commit", "begin"), runAndKill("b", "commit", "done")]);
    const live = await openCatalog().loadTable(table.identifier);
    if (live === null) throw new Error("the table is gone");
    for (const [index, writer] of (["a", "b"] as const).entries()) {
      const run = runs[index] ?? { begun: 0, done: 0 };
      const now = Number(live.metadata.properties[writer] ?? "0");
      // The commit that was under way may have landed or not; all those before it have.
      expect(now - counts[writer]).toBeGreaterThanOrEqual(run.done);
      expect(now - counts[writer]).toBeLessThanOrEqual(run.begun);
      counts[writer] = now;
      commits += run.done;
    }
    const versions = (await readdir(metadata)).filter((name) => name.startsWith("v") && name.endsWith(".json"));
    for (const name of versions) readMetadata(await readFile(join(metadata, name)), name);
    expect(live.metadataLocation).toBe(
      join(metadata, `v${Math.max(...versions.map((name) => Number.parseInt(name.slice(1), 10)))}.metadata.json`),
    );
    // Every commit is one version: none was written over.
    expect(Number(/v(\d+)\./.exec(live.metadataLocation)?.[1])).toBe(1 + counts.a + counts.b + round);
    // The next writer carries on, and puts the hint right.
    const after = done(await catalog.commit(live, commitOn(live, [setProperty("between", String(round))])));
    expect(after.metadata.properties["between"]).toBe(String(round));
    expect(`v${await readFile(join(metadata, "version-hint.text"), "utf8")}.metadata.json`).toBe(
      after.metadataLocation.slice(metadata.length + 1),
    );
  }
  expect(commits).toBeGreaterThan(0);
});

it("leaves each new table whole or not at all, and a rerun makes it", { timeout: 60_000 }, async () => {
  const catalog = openCatalog();
  await catalog.createNamespace(["sales"]);
  for (let round = 0; round < ROUNDS; round++) {
    const run = await runAndKill(`t${round}`, "create", round % 2 === 0 ? "begin" : "done");
    for (let index = 1; index <= run.begun; index++) {
      const table = { identifier: { namespace: ["sales"], name: `t${round}-${index}` }, location: null };
      const live = await catalog.loadTable(table.identifier);
      if (live === null) {
        expect(index).toBeGreaterThan(run.done);
        done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
      }
    }
  }
});
