// The same model on a folder, and on catalogs that are played over real HTTP: a fake Glue, a fake S3 Tables and a fake REST
// server, each with the product's own clients. One of each serves all sequences, a table for each.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalCatalog } from "../../src/catalog/local.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { createLocalStore } from "../../src/storage/local.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { openGlue, startLake } from "../catalog/glue-support.ts";
import { openRest, startRestLake } from "../catalog/rest-support.ts";
import { nearStoreOf, openTables, startFakes } from "../catalog/s3-tables-support.ts";
import { type Lake, type LakeParts, makeLake, memoryLake } from "./lake.ts";

export interface Lakes {
  readonly next: () => Promise<Lake>;
  readonly stop: () => Promise<void>;
}

const noPauses = { ...systemPorts(), wait: async (): Promise<void> => undefined };

/** A table of its own each time. */
function tablesOf(parts: Omit<LakeParts, "identifier" | "location">, folder: string | null): Lakes["next"] {
  return async () => {
    const name = `t_${randomUUID().slice(0, 8)}`;
    const location = folder === null ? null : `${folder}/${name}`;
    return await makeLake({ ...parts, identifier: { namespace: ["hr"], name }, location });
  };
}

async function onFolder(): Promise<Lakes> {
  const warehouse = mkdtempSync(join(tmpdir(), "floeplan-model-"));
  const open: LakeParts["open"] = async (store) => createLocalCatalog({ name: "lake", warehouse, store, ports: noPauses });
  return {
    next: tablesOf({ title: "local", store: createLocalStore(), open }, null),
    stop: async () => rmSync(warehouse, { recursive: true, force: true }),
  };
}

async function onGlue(): Promise<Lakes> {
  const glue = await startLake({ databases: ["hr"] });
  const open: LakeParts["open"] = async (store) => openGlue(glue, { store });
  return {
    next: tablesOf({ title: "glue", store: createMemoryStore(), open }, "s3://lake/hr"),
    stop: async () => await glue.stop(),
  };
}

async function onS3Tables(): Promise<Lakes> {
  const fakes = await startFakes({ namespaces: ["hr"] });
  const open: LakeParts["open"] = async (store) => openTables(fakes, { store });
  return { next: tablesOf({ title: "s3-tables", store: nearStoreOf(fakes), open }, null), stop: async () => await fakes.stop() };
}

async function onRest(): Promise<Lakes> {
  const rest = await startRestLake();
  rest.tables.namespace("hr");
  const open: LakeParts["open"] = async (store) => await openRest(rest, { openS3: () => store });
  return { next: tablesOf({ title: "rest", store: rest.store, open }, "s3://lake/wh/hr"), stop: async () => await rest.stop() };
}

export const LAKES: Readonly<Record<string, () => Promise<Lakes>>> = {
  memory: async () => ({ next: memoryLake, stop: async () => {} }),
  local: onFolder,
  glue: onGlue,
  "s3-tables": onS3Tables,
  rest: onRest,
};
