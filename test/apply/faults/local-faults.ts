// The fault matrix on a local warehouse: a folder of this machine, the product's own store, and the calls to the file
// system below the folder as those that break.
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createLocalCatalog } from "../../../src/catalog/local.ts";
import { systemPorts } from "../../../src/catalog/open-catalog.ts";
import { lastPart } from "../../../src/iceberg/location.ts";
import { relocateTable } from "../../../src/commands/relocate-table.ts";
import { createLocalStore } from "../../../src/storage/local.ts";
import { mapOf, parseJson, writeJson } from "../../fakes/rest-json.ts";
import { type FaultWorld, TABLE } from "./fault-world.ts";
import { fileCalls } from "./file-breaks.ts";
import { foreignVersion } from "./foreign-version.ts";
import { makeProject } from "./project.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../../examples/employees/warehouse/hr/iceberg_employee");
const WRITTEN_AT = "/tmp/floeplan-demo/warehouse";

export async function localFaults(): Promise<FaultWorld> {
  const folder = makeProject("{ type: local, warehouse: ./warehouse }", null);
  const warehouse = join(folder, "warehouse");
  const table = join(warehouse, ...TABLE.namespace, TABLE.name);
  const original = join(folder, "original");
  // Its paths are those of the place that copies of it are put to.
  cpSync(EXAMPLE, table, { recursive: true });
  await relocateTable(table, WRITTEN_AT, warehouse);
  cpSync(table, original, { recursive: true });

  let offsetMs = 0;
  const nowMs = (): number => Date.now() + offsetMs;
  const live = (): ReturnType<FaultWorld["metadata"]> => {
    const version = newestVersion(join(table, "metadata"));
    if (version === null) return null;
    const location = join(table, "metadata", `v${version}.metadata.json`);
    return { location, document: mapOf(parseJson(readFileSync(location, "utf8"))) };
  };
  return {
    catalog: createLocalCatalog({
      name: "lake",
      warehouse,
      store: createLocalStore(),
      ports: { ...systemPorts(), nowMs, wait: async () => {} },
    }),
    folder,
    variables: {},
    ...fileCalls(warehouse),
    nowMs,
    setClock: (milliseconds) => {
      offsetMs = milliseconds;
    },
    reset: (isNew) => {
      rmSync(table, { recursive: true, force: true });
      mkdirSync(join(warehouse, ...TABLE.namespace), { recursive: true });
      if (!isNew) cpSync(original, table, { recursive: true });
    },
    metadata: live,
    objects: () => {
      const found = new Map<string, Uint8Array>();
      for (const path of filesBelow(table)) if (!isBeside(path)) found.set(path, new Uint8Array(readFileSync(path)));
      return found;
    },
    beside: () => null,
    litter: () => filesBelow(table).filter((path) => lastPart(path).startsWith(".floeplan-tmp-")),
    commitForeign: async () => {
      const now = live();
      if (now === null) return false;
      const temporary = join(folder, "foreign.json");
      writeFileSync(temporary, writeJson(foreignVersion(now.document, now.location)));
      const version = newestVersion(join(table, "metadata")) ?? 0;
      linkSync(temporary, join(table, "metadata", `v${version + 1}.metadata.json`));
      rmSync(temporary);
      return true;
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** Files that are no objects: the hint, checksums beside it, and what is written under a name of its own first. */
function isBeside(path: string): boolean {
  return /\/(version-hint\.text|\.[^/]*)$/.test(path);
}

function newestVersion(metadata: string): number | null {
  const versions = filesBelow(metadata).flatMap((path) => /\/v(\d+)\.metadata\.json$/.exec(path)?.[1] ?? []);
  return versions.length === 0 ? null : Math.max(...versions.map(Number));
}
