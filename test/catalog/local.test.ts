// What the local catalog promises beyond the shared suite: the Hadoop layout as other engines write and read it,
// folders that are no tables, names that would leave the warehouse, and races that names alone do not decide.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { createLocalCatalog } from "../../src/catalog/local.ts";
import { openTableFolder } from "../../src/catalog/local-table.ts";
import type { CatalogPorts } from "../../src/catalog/metadata-pointer.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { LiveTable, TableIdentifier } from "../../src/iceberg/live-table.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { createLocalStore } from "../../src/storage/local.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";

const DATA = resolve(import.meta.dirname, "../data/catalog");
const ORDERS: TableIdentifier = { namespace: ["sales"], name: "orders" };
const CLEANED = { "write.metadata.previous-versions-max": "1", "write.metadata.delete-after-commit.enabled": "true" };

let warehouse: string;
let waits: number[];
const store = createLocalStore();

beforeEach(async () => {
  warehouse = await mkdtemp(join(tmpdir(), "floeplan-local-catalog-"));
  waits = [];
});
afterEach(async () => await rm(warehouse, { recursive: true, force: true }));

function open(using: ObjectStore = store): Catalog {
  const ports: CatalogPorts = { ...systemPorts(), wait: async (milliseconds) => void waits.push(milliseconds) };
  return createLocalCatalog({ name: "lake", warehouse, store: using, ports });
}

async function create(catalog: Catalog, properties: Record<string, string> = {}, identifier = ORDERS): Promise<LiveTable> {
  await catalog.createNamespace(identifier.namespace);
  const table = { identifier, location: null };
  return done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table), properties)));
}

async function load(catalog: Catalog = open(), identifier = ORDERS): Promise<LiveTable> {
  const live = await catalog.loadTable(identifier);
  if (live === null) throw new Error("no such table");
  return live;
}

async function apply(catalog: Catalog, live: LiveTable, ...updates: readonly TableUpdate[]): Promise<LiveTable> {
  return done(await catalog.commit(live, commitOn(live, updates)));
}

const metadataFolder = (): string => join(warehouse, "sales/orders/metadata");
const names = async (folder = metadataFolder()): Promise<string[]> => (await readdir(folder)).sort();
const hint = async (): Promise<string> => await readFile(join(metadataFolder(), "version-hint.text"), "utf8");

async function failure(work: Promise<unknown>): Promise<ToolError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

it("names a namespace that is missing as people write it", async () => {
  const catalog = open();
  const table = { identifier: { namespace: ["hr", "emea"], name: "people" }, location: null };
  expect(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table)))).toEqual({
    state: "refused",
    why: 'The namespace "hr.emea" does not exist',
  });
});

describe("the Hadoop layout", () => {
  it("is what a table is written in", async () => {
    const catalog = open();
    const live = await create(catalog);
    expect(live.metadata.location).toBe(join(warehouse, "sales/orders"));
    expect(live.metadataLocation).toBe(join(metadataFolder(), "v1.metadata.json"));
    expect(await names()).toEqual(["v1.metadata.json", "version-hint.text"]);
    expect(await hint()).toBe("1");
    await apply(catalog, live, setProperty("a", "1"));
    expect(await names()).toEqual(["v1.metadata.json", "v2.metadata.json", "version-hint.text"]);
    expect(await hint()).toBe("2");
  });

  it("is read and carried on as Spark left it", async () => {
    await cp(join(DATA, "spark-contractors"), join(warehouse, "sales/orders"), { recursive: true });
    await writeFile(join(metadataFolder(), ".version-hint.text.crc"), "of the hint 2");
    const catalog = open();
    const live = await load(catalog);
    expect([live.metadataLocation, live.metadata.formatVersion]).toEqual([join(metadataFolder(), "v2.metadata.json"), 1]);
    const after = await apply(catalog, live, setProperty("a", "1"));
    expect(after.metadata.metadataLog.at(-1)).toEqual({
      timestampMs: live.metadata.lastUpdatedMs,
      metadataFile: join(metadataFolder(), "v2.metadata.json"),
    });
    expect(await hint()).toBe("3");
    // Spark would fail on a hint that its checksum no longer fits.
    expect(await names()).toEqual(["v1.metadata.json", "v2.metadata.json", "v3.metadata.json", "version-hint.text"]);
  });

  it("keeps to the table's own spelling of its location in the log", async () => {
    const catalog = open();
    const created = await create(catalog);
    const text = await readFile(created.metadataLocation, "utf8");
    const spelt = text.replaceAll(`"${created.metadata.location}"`, `"file:${created.metadata.location}"`);
    await writeFile(created.metadataLocation, spelt);
    const live = await load();
    expect(live.metadataLocation).toBe(`file:${metadataFolder()}/v1.metadata.json`);
    const after = await apply(catalog, live, setProperty("a", "1"));
    expect(after.metadata.metadataLog.map((entry) => entry.metadataFile)).toEqual([`file:${metadataFolder()}/v1.metadata.json`]);
    expect(after.metadataLocation).toBe(`file:${metadataFolder()}/v2.metadata.json`);
  });

  it("is read from wherever the hint leads, and the hint is put right by the next commit", async () => {
    const catalog = open();
    let live = await create(catalog);
    live = await apply(catalog, live, setProperty("a", "1"));
    live = await apply(catalog, live, setProperty("a", "2"));
    for (const wrong of ["1", "nonsense", "", null]) {
      if (wrong === null) await rm(join(metadataFolder(), "version-hint.text"));
      else await writeFile(join(metadataFolder(), "version-hint.text"), wrong);
      expect((await load()).metadata.properties["a"]).toBe("2");
    }
    await apply(catalog, live, setProperty("a", "3"));
    expect(await hint()).toBe("4");
  });

  it("keeps gzip where the table asks for it, from the commit after the property on", async () => {
    const catalog = open();
    let live = await create(catalog);
    live = await apply(catalog, live, setProperty("write.metadata.compression-codec", "GZIP"));
    expect(live.metadataLocation).toBe(join(metadataFolder(), "v2.metadata.json"));
    live = await apply(catalog, live, setProperty("a", "1"));
    expect(live.metadataLocation).toBe(join(metadataFolder(), "v3.gz.metadata.json"));
    expect(gunzipSync(await readFile(live.metadataLocation)).toString()).toContain('"a"');
    live = await apply(catalog, await load(), { action: "remove-properties", removals: ["write.metadata.compression-codec"] });
    live = await apply(catalog, await load(), setProperty("a", "2"));
    expect(live.metadataLocation).toBe(join(metadataFolder(), "v5.metadata.json"));
    expect((await load()).metadata.properties["a"]).toBe("2");
  });

  it("does not let a table leave its folder or keep its metadata elsewhere", async () => {
    const catalog = open();
    const live = await create(catalog);
    for (const update of [
      { action: "set-location", location: join(warehouse, "elsewhere") } as const,
      setProperty("write.metadata.path", join(warehouse, "elsewhere")),
    ]) {
      const outcome = await catalog.commit(live, commitOn(live, [update]));
      expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("A table of a local warehouse cannot") });
    }
    expect(await names()).toEqual(["v1.metadata.json", "version-hint.text"]);
    await apply(catalog, live, { action: "set-location", location: `file:${live.metadata.location}/` }, setProperty("a", "1"));
  });

  it("leaves the files of the table that this one was copied from", async () => {
    const catalog = open();
    const other = { namespace: ["sales"], name: "copied-from" };
    let original = await create(catalog, CLEANED, other);
    original = await apply(catalog, original, setProperty("round", "1"));
    await cp(join(warehouse, "sales/copied-from"), join(warehouse, "sales/orders"), { recursive: true });
    let live = await load(catalog);
    for (let round = 2; round <= 5; round++) live = await apply(catalog, live, setProperty("round", String(round)));
    expect(await names(join(warehouse, "sales/copied-from/metadata"))).toContain("v1.metadata.json");
    expect((await load(catalog, other)).metadata.properties["round"]).toBe("1");
  });
});

describe("a table that is opened by its folder", () => {
  it("is loaded without a warehouse, named by its folders", async () => {
    await cp(join(DATA, "spark-employees"), join(warehouse, "hr/employees"), { recursive: true });
    const live = await openTableFolder(store, join(warehouse, "hr/employees"));
    expect(live.identifier).toEqual({ namespace: ["hr"], name: "employees" });
    expect(live.metadata.schemas.length).toBeGreaterThan(1);
    expect(live.metadataLocation).toBe(join(warehouse, "hr/employees/metadata/v8.metadata.json"));
  });

  it("is not found where there is no folder or an empty one", async () => {
    await mkdir(join(warehouse, "empty/metadata"), { recursive: true });
    for (const folder of ["none", "empty"]) {
      expect(await failure(openTableFolder(store, join(warehouse, folder)))).toMatchObject({
        kind: "not-found",
        mend: expect.stringContaining("metadata"),
      });
    }
  });
});

describe("a folder without a table", () => {
  it("is no table where there is nothing, or what an interrupted creation leaves", async () => {
    const catalog = open();
    expect(await catalog.loadTable(ORDERS)).toBeNull();
    await mkdir(metadataFolder(), { recursive: true });
    await writeFile(join(metadataFolder(), ".floeplan-tmp-1234"), "half a fi");
    expect(await catalog.loadTable(ORDERS)).toBeNull();
    expect((await create(catalog)).metadata.properties).toEqual({});
  });

  it.each([
    [
      "holds other things",
      "refused",
      async (): Promise<void> => await writeFile(join(warehouse, "sales/orders/part-1.parquet"), "PAR1"),
    ],
    [
      "is a namespace",
      "refused",
      async (): Promise<void> => void (await mkdir(join(warehouse, "sales/orders/emea"), { recursive: true })),
    ],
    [
      "holds a table of a catalog with a pointer",
      "unsupported",
      async (): Promise<void> => {
        await mkdir(metadataFolder(), { recursive: true });
        await writeFile(join(metadataFolder(), "00001-5d5b.metadata.json"), "{}");
      },
    ],
    [
      "has lost its metadata files",
      "corrupt",
      async (): Promise<void> => {
        await mkdir(metadataFolder(), { recursive: true });
        await writeFile(join(metadataFolder(), "snap-1.avro"), "Obj");
      },
    ],
    [
      "has lost its metadata folder's content",
      "corrupt",
      async (): Promise<void> => {
        await mkdir(metadataFolder(), { recursive: true });
        await mkdir(join(warehouse, "sales/orders/data"), { recursive: true });
        await writeFile(join(warehouse, "sales/orders/data/part-1.parquet"), "PAR1");
      },
    ],
  ] as const)("is an error with a mend when it %s", async (_, kind, make) => {
    await mkdir(join(warehouse, "sales/orders"), { recursive: true });
    await make();
    const catalog = open();
    const error = await failure(catalog.loadTable(ORDERS));
    expect(error).toMatchObject({ kind, message: expect.stringContaining('"sales.orders"'), mend: expect.stringMatching(/\S/) });
    const table = { identifier: ORDERS, location: null };
    expect((await failure(catalog.createTable(table, newTableCommit(join(warehouse, "sales/orders"))))).kind).toBe(kind);
  });

  it("in a warehouse that is not there is an error of the configuration", async () => {
    const catalog = createLocalCatalog({ name: "lake", warehouse: join(warehouse, "none"), store, ports: systemPorts() });
    for (const work of [
      async (): Promise<unknown> => await catalog.loadTable(ORDERS),
      async (): Promise<unknown> => await catalog.createNamespace(["sales"]),
      async (): Promise<unknown> => await catalog.namespaceExists(["sales"]),
      async (): Promise<unknown> => await catalog.listTables()[Symbol.asyncIterator]().next(),
    ]) {
      expect(await failure(work())).toMatchObject({ kind: "config", mend: expect.stringContaining("mkdir -p") });
    }
    await expect(stat(join(warehouse, "none"))).rejects.toThrow("ENOENT");
  });

  it("cannot become a namespace where it is a table", async () => {
    const catalog = open();
    await create(catalog);
    expect((await failure(catalog.createNamespace(["sales", "orders"]))).kind).toBe("refused");
    expect(await catalog.namespaceExists(["sales", "orders"])).toBe(false);
  });
});

describe("a broken table", () => {
  it("is told with the file, and that the one before is intact", async () => {
    const catalog = open();
    const live = await apply(catalog, await create(catalog), setProperty("a", "1"));
    const bytes = await readFile(live.metadataLocation);
    for (const broken of [bytes.subarray(0, bytes.length / 2), Buffer.from(""), Buffer.from('{"format-version": 2}')]) {
      await writeFile(live.metadataLocation, broken);
      const error = await failure(catalog.loadTable(ORDERS));
      expect(error.kind).toBe("corrupt");
      expect(error.message).toBe('Cannot load "sales.orders": its newest metadata file "v2.metadata.json" is broken');
      expect(error.mend).toContain('The file before it, "v1.metadata.json", is intact');
    }
    await writeFile(join(metadataFolder(), "v1.metadata.json"), "{");
    expect((await failure(catalog.loadTable(ORDERS))).mend).toBe('Restore "v2.metadata.json" from a backup');
  });

  it("is mended as the message says", async () => {
    const catalog = open();
    const live = await apply(catalog, await create(catalog), setProperty("a", "1"));
    await rm(live.metadataLocation);
    expect(await failure(catalog.loadTable(ORDERS))).toMatchObject({
      kind: "corrupt",
      message: 'Cannot load "sales.orders": its newest metadata file is missing',
      mend: expect.stringContaining('write 1 into "version-hint.text"'),
    });
    await writeFile(join(metadataFolder(), "version-hint.text"), "1");
    expect((await load()).metadata.properties).toEqual({});
  });

  it("takes no commit while a version stands beyond a gap", async () => {
    const catalog = open();
    const live = await create(catalog);
    await writeFile(join(metadataFolder(), "v3.metadata.json"), await readFile(live.metadataLocation));
    const outcome = await catalog.commit(live, commitOn(live, [setProperty("a", "1")]));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining('"v3.metadata.json"') });
    expect(await names()).toEqual(["v1.metadata.json", "v3.metadata.json", "version-hint.text"]);
  });
});

describe("a name", () => {
  it.each([
    ["..", "x"],
    ["sales", ".."],
    ["sales", "../../etc"],
    ["sales", "/etc"],
    ["", "x"],
    ["sales", ""],
    ["a\\b", "x"],
    [".git", "x"],
    ["sales", "a\0b"],
  ])("that would leave the warehouse is refused: %j.%j", async (namespace, name) => {
    const catalog = open();
    const identifier = { namespace: [namespace], name };
    expect((await failure(catalog.loadTable(identifier))).kind).toBe("refused");
    expect((await failure(catalog.newTableLocation({ identifier, location: null }))).kind).toBe("refused");
    expect((await failure(catalog.createTable({ identifier, location: null }, newTableCommit("/x")))).kind).toBe("refused");
    if (name === "x") expect((await failure(catalog.createNamespace([namespace]))).kind).toBe("refused");
  });

  it("needs a namespace", async () => {
    expect((await failure(open().loadTable({ namespace: [], name: "orders" }))).kind).toBe("refused");
  });
});

describe("listing a warehouse", () => {
  it("passes over hidden folders, files, tables without a namespace and what is inside of tables", async () => {
    const catalog = open();
    await create(catalog);
    await cp(join(warehouse, "sales/orders"), join(warehouse, "no-namespace"), { recursive: true });
    await cp(join(warehouse, "sales/orders"), join(warehouse, ".trash/orders"), { recursive: true });
    await cp(join(warehouse, "no-namespace"), join(warehouse, "sales/orders/backup"), { recursive: true });
    await writeFile(join(warehouse, "README.md"), "x");
    const found: TableIdentifier[] = [];
    for await (const identifier of catalog.listTables()) found.push(identifier);
    expect(found).toEqual([ORDERS]);
  });

  it("follows links to folders, and is not led in circles", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "floeplan-elsewhere-"));
    try {
      const catalog = open();
      await create(catalog);
      await cp(join(warehouse, "sales/orders"), join(elsewhere, "people"), { recursive: true });
      await symlink(elsewhere, join(warehouse, "hr"));
      await symlink(warehouse, join(warehouse, "sales/up"));
      const found: string[] = [];
      for await (const { namespace, name } of catalog.listTables()) found.push([...namespace, name].join("."));
      expect(found).toEqual(["hr.people", "sales.orders"]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});

describe("a race that names do not decide", () => {
  /** A store whose next exclusive write is preceded or followed by something. */
  function around(parts: {
    readonly before?: () => Promise<void>;
    readonly after?: (location: string) => Promise<void>;
  }): ObjectStore {
    let isArmed = true;
    return {
      ...store,
      putIfAbsent: async (location, bytes) => {
        if (!isArmed) return await store.putIfAbsent(location, bytes);
        isArmed = false;
        await parts.before?.();
        const result = await store.putIfAbsent(location, bytes);
        await parts.after?.(location);
        return result;
      },
    };
  }
  const others = async (rounds: number): Promise<void> => {
    const catalog = open();
    let live = await load(catalog);
    for (let round = 1; round <= rounds; round++) live = await apply(catalog, live, setProperty("others", String(round)));
  };

  it("is lost by a commit on a version whose successors were cleaned away meanwhile", async () => {
    const live = await create(open(), CLEANED);
    const outcome = await open(around({ before: () => others(4) })).commit(live, commitOn(live, [setProperty("ours", "yes")]));
    expect(outcome.state).toBe("conflict");
    expect(await names()).toEqual(["v4.metadata.json", "v5.metadata.json", "version-hint.text"]);
    expect((await load()).metadata.properties).toMatchObject({ others: "4" });
    expect((await load()).metadata.properties["ours"]).toBeUndefined();
  });

  it("is lost also while the log of the version beside it still names another of its name", async () => {
    const live = await create(open(), { ...CLEANED, "write.metadata.previous-versions-max": "2" });
    const later = async (): Promise<void> => {
      // The name is the same, so the time must tell.
      await new Promise((resume) => setTimeout(resume, 3));
      await others(4);
    };
    const outcome = await open(around({ before: later })).commit(live, commitOn(live, [setProperty("ours", "yes")]));
    expect(outcome.state).toBe("conflict");
    expect(await names()).toEqual(["v3.metadata.json", "v4.metadata.json", "v5.metadata.json", "version-hint.text"]);
  });

  it("is won by a commit that others followed at once, and even cleaned away", async () => {
    // After two rounds the state before ours is cleaned away and ours is not: only an attempt id tells then.
    for (const [rounds, state] of [
      [1, "done"],
      [2, "unknown"],
      [3, "done"],
      [4, "done"],
      [5, "done"],
    ] as const) {
      await rm(join(warehouse, "sales"), { recursive: true, force: true });
      const live = await create(open(), { ...CLEANED, "write.metadata.previous-versions-max": "2" });
      const racing = open(around({ after: () => others(rounds) }));
      const outcome = await racing.commit(live, commitOn(live, [setProperty("ours", "yes")]));
      expect([rounds, outcome.state]).toEqual([rounds, state]);
      expect((await load()).metadata.properties).toMatchObject({ ours: "yes", others: String(rounds) });
      expect(await hint()).toBe(String(2 + rounds));
    }
  });

  it("is known to be won by the attempt id, where the log no longer tells", async () => {
    const live = await create(open(), CLEANED);
    const commit = commitOn(live, [setProperty("ours", "yes")]);
    const remembered = { ...commit, updates: [...commit.updates, setProperty("floeplan.applied.attempt", commit.attempt)] };
    const outcome = await open(around({ after: () => others(1) })).commit(live, remembered);
    expect(done(outcome).metadata.properties["ours"]).toBe("yes");
    expect((await load()).metadata.properties).toMatchObject({ ours: "yes", others: "1" });
  });

  it("is lost where the whole table was made anew at the same version", async () => {
    const live = await create(open(), { by: "first" });
    await rm(join(warehouse, "sales/orders"), { recursive: true });
    await create(open(), { by: "second" });
    const outcome = await open().commit(live, commitOn(live, [setProperty("ours", "yes")]));
    expect(outcome.state).toBe("conflict");
    expect((await load()).metadata.properties).toEqual({ by: "second" });
  });

  it("is lost where another program renames its file over ours", async () => {
    const live = await create(open());
    const foreign = (await readFile(live.metadataLocation, "utf8")).replace('"properties":{', '"properties":{"by":"spark",');
    const spark = around({ after: async (location) => await writeFile(location, foreign) });
    const outcome = await open(spark).commit(live, commitOn(live, [setProperty("by", "us")]));
    expect(outcome).toMatchObject({ state: "conflict", why: expect.stringContaining("Another program") });
    expect(await readFile(join(metadataFolder(), "v2.metadata.json"), "utf8")).toBe(foreign);
  });

  it("is lost where another program commits the same version in another compression", async () => {
    const live = await create(open());
    const twin = join(metadataFolder(), "v2.gz.metadata.json");
    const outcome = await open(around({ before: async () => await writeFile(twin, "theirs") })).commit(
      live,
      commitOn(live, [setProperty("by", "us")]),
    );
    expect(outcome).toMatchObject({ state: "conflict", why: expect.stringContaining("v2.gz.metadata.json") });
    expect(await names()).toEqual(["v1.metadata.json", "v2.gz.metadata.json", "version-hint.text"]);
  });
});

describe("a disk that fails", () => {
  const failing = (error: Error, isWritten: boolean): ObjectStore => ({
    ...store,
    putIfAbsent: async (location, bytes) => {
      if (isWritten) await store.putIfAbsent(location, bytes);
      throw error;
    },
  });
  const unavailable = new ToolError("unavailable", "Cannot write", { why: "The disk does not answer" });

  it("after the link leaves a commit that is done", async () => {
    const live = await create(open());
    const outcome = await open(failing(unavailable, true)).commit(live, commitOn(live, [setProperty("a", "1")]));
    expect(done(outcome).metadataLocation).toBe(join(metadataFolder(), "v2.metadata.json"));
    expect(await hint()).toBe("2");
  });

  it("before the link leaves nothing, and the commit may be tried again", async () => {
    const live = await create(open());
    const outcome = await open(failing(unavailable, false)).commit(live, commitOn(live, [setProperty("a", "1")]));
    expect(outcome.state).toBe("conflict");
    expect(await names()).toEqual(["v1.metadata.json", "version-hint.text"]);
    expect(waits).toEqual([]);
  });

  it("for good refuses the commit, with what it said", async () => {
    const live = await create(open());
    const full = new ToolError("storage-full", "Cannot write", { why: "There is no room left" });
    const outcome = await open(failing(full, false)).commit(live, commitOn(live, [setProperty("a", "1")]));
    expect(outcome).toEqual({ state: "refused", why: "Cannot write: There is no room left", cause: full });
  });

  it("or is slow at the hint leaves no hint that is behind", async () => {
    const live = await create(open());
    let isSlow = true;
    const slow: ObjectStore = {
      ...store,
      replace: async (location, bytes) => {
        if (isSlow) {
          isSlow = false;
          const other = open();
          await apply(other, await load(other), setProperty("others", "1"));
        }
        await store.replace(location, bytes);
      },
    };
    done(await open(slow).commit(live, commitOn(live, [setProperty("a", "1")])));
    expect(await hint()).toBe("3");
  });

  it("at the hint does not fail the commit", async () => {
    const live = await create(open());
    const hintless: ObjectStore = { ...store, replace: async () => Promise.reject(unavailable) };
    const after = done(await open(hintless).commit(live, commitOn(live, [setProperty("a", "1")])));
    expect([after.metadata.properties["a"], await hint()]).toEqual(["1", "1"]);
    expect((await load()).metadata.properties["a"]).toBe("1");
  });
});

describe("openCatalog", () => {
  const context = (root: string): Parameters<typeof openCatalog>[1] => ({ name: "lake", root, ports: systemPorts() });

  it("counts a relative warehouse from the project file's folder", async () => {
    const catalog = await openCatalog({ type: "local", warehouse: "./wh" }, context(warehouse));
    expect(catalog.label).toBe(`lake (local ${warehouse}/wh)`);
    expect(await catalog.newTableLocation({ identifier: ORDERS, location: null })).toBe(join(warehouse, "wh/sales/orders"));
  });

  it("takes a warehouse in the spelling of a location", async () => {
    const catalog = await openCatalog({ type: "local", warehouse: `file://${warehouse}` }, context("/nowhere"));
    expect((await create(catalog)).metadata.location).toBe(join(warehouse, "sales/orders"));
  });

  it("says which kinds there are when one is not", async () => {
    for (const type of ["hive", "constructor"]) {
      expect(await failure(openCatalog({ type }, context("/")))).toMatchObject({
        kind: "unsupported",
        message: `Cannot open the catalog "lake" of type "${type}"`,
        why: expect.stringContaining('This version opens catalogs of type "local"'),
      });
    }
  });

  it("asks for the warehouse that is missing", async () => {
    expect((await failure(openCatalog({ type: "local" }, context("/")))).kind).toBe("config");
    expect((await failure(openCatalog({ type: "local", warehouse: "s3://lake/wh" }, context("/")))).kind).toBe("config");
  });
});
