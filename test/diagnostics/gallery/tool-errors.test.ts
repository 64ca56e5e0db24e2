// Every kind of tool error as the command line tells it, brought about by the world that fails it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerError } from "../../../src/catalog/rest-error.ts";
import { watchInterrupt } from "../../../src/cli/interrupt.ts";
import { failureText } from "../../../src/cli/failure.ts";
import { settled } from "../../../src/commands/settled.ts";
import { bug, ToolError, type ToolErrorKind } from "../../../src/diagnostics/tool-error.ts";
import { openCatalog, systemPorts } from "../../../src/catalog/open-catalog.ts";
import { readMetadata } from "../../../src/iceberg/metadata-json.ts";
import { storageError } from "../../../src/storage/local-errors.ts";
import { writeProject } from "../../desired/project-support.ts";
import { runCommand } from "./in-process.ts";
import { faultsOfWords } from "./voice.ts";
import { goldenFile, settledText } from "./wall.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "floeplan-gallery-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROJECT = "floeplan: 1\nenvironments:\n  prod: { catalogs: { lake: { type: local, warehouse: ./wh } } }\n";
const ORDERS = "table: sales.orders\ncolumns:\n  - { name: order_id, type: long }\n";

function project(): string {
  const root = writeProject(folder, { "floeplan.yaml": PROJECT, "tables/orders.yaml": ORDERS });
  mkdirSync(join(root, "wh"));
  return root;
}

const answered = (status: number, type: string, message: string): ToolError =>
  answerError(
    'Cannot load "sales.orders" in lake',
    { status, body: Buffer.from(JSON.stringify({ error: { message, type, code: status } })), header: () => null },
    (text) => text,
  );
const denied = (code: string): Error => Object.assign(new Error(`${code}: not written`), { code });

const SCENES: Readonly<Record<ToolErrorKind, () => Promise<unknown>>> = {
  usage: async () => await runCommand(project(), ["plna"]),
  config: async () => await runCommand(folder, ["plan"]),
  auth: async () => await Promise.reject(answered(403, "ForbiddenException", "Principal has no SELECT on the table")),
  "not-found": async () => await runCommand(project(), ["show", "sales.orders"]),
  conflict: async () =>
    await Promise.resolve(settled({ state: "conflict", why: "Its schema changed since it was read" }, "sales.orders", "")),
  throttled: async () => await Promise.reject(answered(429, "ThrottlingException", "Rate exceeded")),
  unavailable: async () => await Promise.reject(answered(503, "ServiceUnavailable", "Come back later")),
  unsupported: async () => {
    const root = project();
    const catalog = await openCatalog(
      { type: "local", warehouse: join(root, "wh") },
      { name: "lake", root, ports: systemPorts() },
    );
    await catalog.createTable(
      { identifier: { namespace: ["sales"], name: "orders" }, location: "s3://elsewhere/orders" },
      { requirements: [{ type: "assert-create" }], updates: [], attempt: "a" },
    );
  },
  corrupt: async () =>
    await Promise.resolve(readMetadata(Buffer.from('{ "format-version": 2'), "s3://lake/t/metadata/1.metadata.json")),
  "storage-full": async () => await Promise.reject(storageError("write", "/lake/t/data/1.parquet", denied("ENOSPC"))),
  refused: async () =>
    await Promise.resolve(settled({ state: "refused", why: "The catalog takes no tables" }, "sales.orders", "")),
  interrupted: async () => {
    const handlers: (() => void)[] = [];
    const watch = watchInterrupt(
      (handler) => () => void handlers.push(handler),
      "finish",
      () => undefined,
    );
    const work = watch.race(new Promise<never>(() => undefined));
    watch.end();
    for (const press of [...handlers, ...handlers]) press();
    await work;
  },
  internal: async () => await Promise.reject(bug("A step was planned that nobody declared", { step: "add-field" })),
};

async function thrown(scene: () => Promise<unknown>): Promise<ToolError> {
  try {
    await scene();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}

it("shows every kind of tool error", async () => {
  const wall: string[] = [];
  const faults: string[] = [];
  for (const [kind, scene] of Object.entries(SCENES)) {
    const error = await thrown(scene);
    expect(error.kind).toBe(kind);
    const { message: what, why, mend } = error;
    faults.push(...faultsOfWords({ what, why, mend }).map((fault) => `${kind}: ${fault}`));
    const text = failureText(error, false, { description: "Node v0 on test" }).replace(/^ {2}at .*\n/gm, "");
    wall.push(`${kind}\n${settledText(text)}`);
  }
  expect(faults).toEqual([]);
  await expect(wall.join("\n")).toMatchFileSnapshot(goldenFile("tool-errors"));
});
