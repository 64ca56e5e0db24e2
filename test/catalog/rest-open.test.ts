// A REST catalog as a project opens it: settings of file and server, prefix, separators, pages, names; and what is said
// where an address is wrong, a warehouse is missing, a call is not there, or a server says something unheard of.
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import { restSettings } from "../../src/catalog/rest-settings.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, LARGEST_ID, newTableCommit, setProperty, snapshot } from "../conformance/table-commits.ts";
import { writeJson } from "../fakes/rest-json.ts";
import { type RestOptions, restError } from "../fakes/rest.ts";
import { ORDERS, openRest, startRestLake, type TestRest } from "./rest-support.ts";

const LOCATION = "s3://lake/wh/sales/orders";
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const start = async (options: Partial<RestOptions> = {}): Promise<TestRest> => {
  const rest = await startRestLake(options);
  stops.push(rest.stop);
  return rest;
};
const create = async (catalog: Catalog): ReturnType<Catalog["createTable"]> =>
  await catalog.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION));
/** A server that is no catalog. */
const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise<void>((settle) => server.close(() => settle()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const open = async (uri: string, more: object = {}): Promise<Catalog> =>
  await openCatalog(
    { type: "rest", uri, ...more },
    { name: "lake", root: "/", ports: { ...systemPorts(), wait: async () => {} } },
  );

describe("settings", () => {
  it("of the server stand below the file's, and its overrides above", async () => {
    const rest = await start({ prefix: "of/the/server", named: "wh", defaults: { prefix: "of/its/defaults" } });
    rest.tables.namespace("sales");
    const catalog = await openRest(rest, { settings: { warehouse: "wh", prefix: "of/the/file" } });
    done(await create(catalog));
    expect(rest.calls.map(({ request }) => request.path)).toContain("/v1/of/the/server/namespaces/sales/tables");
    expect([catalog.kind, catalog.label]).toEqual(["rest", `lake (rest ${rest.url})`]);
  });

  it("are asked for once, and again where they could not be had", async () => {
    const rest = await start();
    rest.tables.namespace("sales");
    const catalog = await openRest(rest);
    rest.fault({ on: "GetConfig", answer: restError(503, "ServiceUnavailable", "Soon"), times: 6 });
    await expect(catalog.loadTable(ORDERS)).rejects.toMatchObject({ kind: "unavailable" });
    await Promise.all(Array.from({ length: 5 }, () => catalog.loadTable(ORDERS)));
    expect(rest.counts()["GetConfig"]).toBe(7);
  });

  it("send headers of the catalog's own with every call, and none in place of ours", async () => {
    const rest = await start({ overrides: { "header.x-tenant": "acme", "header.Authorization": "Bearer stolen" } });
    await (await openRest(rest)).namespaceExists(["sales"]);
    const { request } = rest.requests.at(-1) ?? {};
    expect([request?.headers["x-tenant"], request?.headers["authorization"]]).toEqual(["acme", undefined]);
  });

  it.each([
    [{ uri: "" }, "Write `uri: https://HOST/PATH`, without /v1"],
    [{ uri: "ftp://host" }, "Write `uri: https://HOST/PATH`, without /v1"],
    [{ uri: "https://me:secret@host/x" }, "Take out what stands before the @"],
    [{ uri: "https://host/x?y=1" }, "Take out what begins with ? or #"],
    [{ uri: "https://host", prefix: "a b" }, "Write `prefix:` as it stands between /v1/ and /namespaces, with blanks as %20"],
    [{ uri: "https://host", auth: "basic" }, "Write `auth:` as none, bearer, oauth2 or sigv4"],
  ])("that are wrong are told: %j", (options, mend) => {
    expect(() => restSettings("lake", options, {})).toThrow(expect.objectContaining({ kind: "config", mend }));
  });

  it("name variables by the catalog's name", () => {
    const environment = { FLOEPLAN_REST_TOKEN_LAKE_HOUSE_2: " Bearer abc " };
    expect(restSettings("lake-house.2", { uri: "https://host//", auth: "bearer" }, environment)).toMatchObject({
      uri: "https://host",
      auth: { token: "abc" },
    });
  });

  it("of the server may not lead to a less safe place", async () => {
    const rest = await start({ overrides: { uri: "ftp://elsewhere" } });
    await expect((await openRest(rest)).loadTable(ORDERS)).rejects.toMatchObject({ kind: "config" });
  });
});

describe("what is wrong with an address", () => {
  it.each([
    [
      "a web page",
      (response: ServerResponse): void => void response.setHeader("content-type", "text/html").end("<html>Welcome</html>"),
      "/v1/config is added",
    ],
    [
      "nothing under it",
      (response: ServerResponse): void => void response.writeHead(404).end("not found"),
      "/v1/config is added",
    ],
    [
      "a way to elsewhere",
      (response: ServerResponse): void => void response.writeHead(302, { location: "https://login.example.com" }).end(),
      "the address that answers by itself",
    ],
  ] as const)("is told: %s", async (_, answer, mend) => {
    const uri = await serve((_request, response) => answer(response));
    await expect((await open(uri)).loadTable(ORDERS)).rejects.toMatchObject({
      kind: "config",
      mend: expect.stringContaining(mend),
    });
  });

  it("is told: the version is on it already", async () => {
    const uri = await serve((_, response) => void response.writeHead(404).end());
    await expect((await open(`${uri}/v1`)).loadTable(ORDERS)).rejects.toMatchObject({
      mend: expect.stringContaining('Take "/v1" off'),
    });
  });

  it("is told: nothing listens there, and no TLS is there", async () => {
    const rest = await startRestLake();
    await rest.stop();
    await expect((await openRest(rest)).loadTable(ORDERS)).rejects.toMatchObject({
      kind: "unavailable",
      why: expect.stringMatching(/^Nothing listens there/),
    });
    const uri = await serve((_, response) => void response.end());
    await expect((await open(uri.replace("http:", "https:"))).loadTable(ORDERS)).rejects.toMatchObject({
      kind: "config",
      mend: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
  });

  it("is told: the warehouse is missing, or unknown", async () => {
    const rest = await start({ named: "wh" });
    await expect((await openRest(rest)).loadTable(ORDERS)).rejects.toMatchObject({
      kind: "config",
      why: "Please specify a warehouse (BadRequestException)",
      mend: "This catalog serves several warehouses: write `warehouse:` of the catalog in the project file",
    });
    await expect((await openRest(rest, { settings: { warehouse: "other" } })).loadTable(ORDERS)).rejects.toMatchObject({
      mend: 'Check `warehouse: "other"` of the catalog in the project file',
    });
  });
});

describe("what a server cannot do", () => {
  it.each([
    ["CommitTable", "commit"],
    ["CreateTable", "create"],
  ] as const)("is told before it is asked: %s", async (lacking, what) => {
    const rest = await start();
    rest.tables.namespace("sales");
    await rest.tables.create(["sales", "orders"]);
    const poor = await startRestLake({ lacks: [lacking], store: rest.store });
    stops.push(poor.stop);
    poor.tables.namespace("sales");
    if (what === "commit") await poor.tables.create(["sales", "orders"]);
    const catalog = await openRest(poor);
    const outcome = what === "commit" ? await commitNothing(catalog) : await create(catalog);
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("its list of calls lacks") });
    expect(poor.counts()[lacking]).toBeUndefined();
  });
  const commitNothing = async (catalog: Catalog): ReturnType<Catalog["commit"]> => {
    const live = await catalog.loadTable(ORDERS);
    if (live === null) throw new Error("The table is gone");
    return await catalog.commit(live, commitOn(live, [setProperty("a", "1")]));
  };

  it("is told: a view is no table, and a view has the name", async () => {
    const rest = await start({ views: [["sales", "orders"]] });
    rest.tables.namespace("sales");
    const catalog = await openRest(rest);
    await expect(catalog.loadTable(ORDERS)).rejects.toMatchObject({ kind: "unsupported", why: "It is a view" });
    expect(await create(catalog).catch((error: unknown) => error)).toMatchObject({ why: expect.stringContaining("view") });
  });

  it("is seen where a table has the name and may not be seen", async () => {
    const rest = await start();
    rest.tables.namespace("sales");
    rest.fault({ on: "CreateTable", answer: restError(409, "AlreadyExistsException", "Table already exists") });
    expect(await create(await openRest(rest))).toMatchObject({
      state: "refused",
      why: expect.stringContaining("has no table of it to show"),
    });
  });

  it("leaves the place of a new table to the catalog where it tells none before", async () => {
    const rest = await start({ hasStaging: false });
    rest.tables.namespace("sales");
    const catalog = await openRest(rest);
    const table = { identifier: ORDERS, location: null };
    const live = done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
    expect(live.metadata.location).toBe("s3://lake/wh/sales/orders");
  });

  it("is done without where the server has little: no list of calls, no pages, no tags of states", async () => {
    const rest = await start({
      hasTags: false,
      listsCalls: false,
      lacks: ["NamespaceExists", "LoadView", "ViewExists", "LoadCredentials"],
    });
    const [catalog, another] = [await openRest(rest), await openRest(rest)];
    await catalog.createNamespace(["sales"]);
    await catalog.createNamespace(["sales", "emea"]);
    expect([await catalog.namespaceExists(["sales"]), await catalog.namespaceExists(["hr"])]).toEqual([true, false]);
    expect(await catalog.loadTable(ORDERS)).toBeNull();
    const first = done(await create(catalog));
    expect((await create(another)).state).toBe("conflict");
    const second = done(await another.commit(first, commitOn(first, [setProperty("a", "1")])));
    // Only the look before can tell, for want of a requirement.
    expect((await catalog.commit(first, commitOn(first, [setProperty("a", "2")]))).state).toBe("conflict");
    done(await catalog.commit(second, commitOn(second, [setProperty("a", "3")])));
    const found: string[] = [];
    for await (const { namespace, name } of catalog.listTables()) found.push([...namespace, name].join("."));
    expect(found).toEqual(["sales.orders"]);
  });

  it("adds properties of its own to a new table, which is no difference", async () => {
    const rest = await start({ ownProperties: { "schema.name-mapping.default": "[]" } });
    rest.tables.namespace("sales");
    expect(await create(await openRest(rest))).not.toHaveProperty("differences");
  });
});

describe("what a server says", () => {
  it("is one line, of a length to read, without what drives a terminal", async () => {
    const rest = await start();
    const message = `\u001b[31mred\u0007 \u202e gnihtyna\n::error::x ${"y".repeat(5000)}`;
    rest.fault({ on: "LoadTable", answer: restError(400, "Bad\u001bRequest", message) });
    const error: unknown = await (await openRest(rest)).loadTable(ORDERS).catch((reason: unknown) => reason);
    if (!(error instanceof ToolError)) throw new Error("It must fail");
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(error.why).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
    expect(error.why?.length).toBeLessThan(500);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no metadata", '{"metadata-location":"s3://b/x"}'],
    ["no location", '{"metadata":{}}'],
    ["metadata of a version to come", '{"metadata-location":"s3://b/x","metadata":{"format-version":9}}'],
  ])("and is no table is told: %s", async (_, body) => {
    const rest = await start();
    rest.fault({ on: "LoadTable", answer: { status: 200, headers: { "content-type": "application/json" }, body } });
    await expect((await openRest(rest)).loadTable(ORDERS)).rejects.toMatchObject({
      kind: expect.stringMatching(/^(corrupt|unsupported)$/),
      why: expect.stringContaining("not what the protocol asks for"),
    });
  });

  it("that a file of the table is missing is no missing table", async () => {
    const rest = await start();
    rest.fault({
      on: "LoadTable",
      answer: restError(404, "NotFoundException", "Location does not exist: s3://lake/x.metadata.json"),
    });
    await expect((await openRest(rest)).loadTable(ORDERS)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("may be packed, and of twenty thousand snapshots", async () => {
    const rest = await start();
    rest.tables.namespace("sales");
    await rest.tables.create(["sales", "orders"]);
    const entry = {
      "timestamp-ms": 1,
      summary: { operation: "append", filler: "x".repeat(200) },
      "manifest-list": "s3://lake/m.avro",
      "schema-id": 0,
    };
    const snapshots = Array.from({ length: 20_000 }, (_, index) => ({
      ...entry,
      "snapshot-id": LARGEST_ID - BigInt(index),
      "sequence-number": index + 1,
    }));
    const metadata = { ...rest.tables.metadata("sales", "orders"), "last-sequence-number": 20_000, snapshots };
    const body = gzipSync(writeJson({ "metadata-location": "s3://lake/x.metadata.json", metadata }), { level: 1 });
    rest.fault({
      on: "LoadTable",
      answer: { status: 200, headers: { "content-type": "application/json", "content-encoding": "gzip" }, body },
    });
    const live = await (await openRest(rest)).loadTable(ORDERS);
    let count = 0;
    for (const { snapshotId } of live?.metadata.snapshots ?? []) if (snapshotId === LARGEST_ID - BigInt(count)) count++;
    expect(count).toBe(20_000);
  });
});

describe("names", () => {
  it.each(["%1F", "%2E", "%2F", "~"])("of namespaces are written with the server's separator: %s", async (separator) => {
    const rest = await start({ separator, pageSize: 3 });
    const catalog = await openRest(rest);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        async (levels) => {
          fc.pre(levels.every((level) => level !== "." && level !== ".." && !level.includes("\u001f")));
          await catalog.createNamespace(levels);
          expect(await catalog.namespaceExists(levels)).toBe(true);
        },
      ),
      { numRuns: 6 },
    );
  });

  it("that no path can hold are refused", async () => {
    const catalog = await openRest(await start());
    for (const name of ["", "..", ""]) {
      await expect(catalog.loadTable({ namespace: ["sales"], name })).rejects.toMatchObject({ kind: "refused" });
    }
  });

  it("that are half a surrogate pair are refused, and a separator that stands for no text is taken as it is spelled", async () => {
    const rest = await start({ overrides: { "namespace-separator": "%FF" } });
    rest.tables.namespace("sales");
    const catalog = await openRest(rest);
    expect(await catalog.namespaceExists(["sales"])).toBe(true);
    expect(await catalog.namespaceExists(["sales", "eu"])).toBe(false);
    await expect(catalog.loadTable({ namespace: ["sales"], name: "\ud800" })).rejects.toMatchObject({ kind: "refused" });
    const other = await openRest(await start({ overrides: { "namespace-separator": "\udfff" } }));
    await expect(other.namespaceExists(["sales", "eu"])).rejects.toMatchObject({ kind: "refused" });
  });

  it("that a server gives many times are asked for once, and told once", async () => {
    const rest = await start();
    rest.tables.namespace("sales");
    const json = (body: object): { status: number; headers: Record<string, string>; body: string } => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const orders = { namespace: ["sales"], name: "orders" };
    rest.fault({ on: "ListNamespaces", answer: json({ namespaces: Array.from({ length: 1000 }, () => ["sales"]) }) });
    rest.fault({ on: "ListTables", answer: json({ identifiers: [orders, orders] }), times: 99 });
    const found: string[] = [];
    for await (const { name } of (await openRest(rest)).listTables()) found.push(name);
    expect([found, rest.counts()["ListTables"]]).toEqual([["orders"], 1]);
  });

  it("come from all pages, and a server that gives the same page again and again is told", async () => {
    const rest = await start({ pageSize: 7 });
    rest.tables.namespace("sales");
    for (let index = 0; index < 40; index++) await rest.tables.create(["sales", `t${String(index).padStart(2, "0")}`]);
    const catalog = await openRest(rest);
    const names = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { name } of catalog.listTables(["sales"])) found.push(name);
      return found;
    };
    expect(await names()).toEqual(Array.from({ length: 40 }, (_, index) => `t${String(index).padStart(2, "0")}`));
    expect(rest.counts()["ListTables"]).toBe(6);
    const body = JSON.stringify({ identifiers: [], "next-page-token": "x" });
    rest.fault({ on: "ListTables", answer: { status: 200, headers: { "content-type": "application/json" }, body }, times: 99 });
    await expect(names()).rejects.toMatchObject({ kind: "corrupt" });
  });
});

describe("a snapshot", () => {
  it("that landed without an answer is found by its id, though others committed on top", async () => {
    const rest = await start();
    rest.tables.namespace("sales");
    const catalog = await openRest(rest);
    const live = done(await create(catalog));
    rest.fault({ on: "CommitTable", answer: "drop", effect: "after" });
    rest.fault({ on: "LoadTable", answer: "drop", skip: 1, times: 3 });
    const going = catalog.commit(
      live,
      commitOn(live, [
        { action: "add-snapshot", snapshot: snapshot(live, LARGEST_ID, null) },
        { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: LARGEST_ID, type: "branch" } },
      ]),
    );
    while ((rest.counts()["CommitTable"] ?? 0) === 0) await new Promise((resume) => setTimeout(resume, 1));
    await rest.tables.commit(["sales", "orders"], { action: "set-properties", updates: { theirs: "yes" } });
    expect(done(await going).metadata.currentSnapshotId).toBe(LARGEST_ID);
  });
});
