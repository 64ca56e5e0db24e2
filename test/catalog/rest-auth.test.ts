// Ways to sign in to a REST catalog, against a server that checks them: fixed tokens, OAuth tokens that end, signatures
// of AWS; what is said where they fail, and that no secret is ever in it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { FakeAccess } from "../fakes/rest-access.ts";
import { type RestOptions, restError } from "../fakes/rest.ts";
import { FAKE_KEYS } from "../fakes/s3.ts";
import { ORDERS, openRest, type OpenOptions, startRestLake, type TestRest } from "./rest-support.ts";

const LOCATION = "s3://lake/wh/sales/orders";
const SECRET = "s3cr3t-of-the-client";

let rest: TestRest;
const start = async (access: FakeAccess, options: Partial<RestOptions> = {}): Promise<void> => {
  rest = await startRestLake({ access, ...options });
  rest.tables.namespace("sales");
};
afterEach(async () => await rest.stop());

const useAll = async (catalog: Catalog): Promise<void> => {
  const live = done(await catalog.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION)));
  done(await catalog.commit(live, commitOn(live, [setProperty("a", "1")])));
  expect((await catalog.loadTable(ORDERS))?.metadata.properties["a"]).toBe("1");
};
const failure = async (going: Promise<unknown>): Promise<ToolError> => {
  const error = await going.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolError)) throw new Error(`No failure, but ${String(error)}`);
  return error;
};
/** All that a person may see of a failure, causes too. */
const shown = (error: unknown): string => {
  if (!(error instanceof Error)) return "";
  const { why = "", mend = "", context = {} } = error instanceof ToolError ? error : {};
  const facts = Object.entries(context).map(([key, value]) => `${key}=${String(value)}`);
  return [error.message, why, mend, ...facts, shown(error.cause)].join(" ");
};

describe("nobody is asked for", () => {
  it("and the catalog asks: says which ways there are", async () => {
    await start({ kind: "bearer", token: "t" });
    expect(await failure((await openRest(rest)).loadTable(ORDERS))).toMatchObject({
      kind: "auth",
      mend: "The catalog wants to know who asks: write `auth: bearer`, `oauth2` or `sigv4` in the project file",
    });
  });
});

describe("a fixed token", () => {
  const open = async (token: string): Promise<Catalog> =>
    await openRest(rest, { settings: { auth: "bearer" }, environment: { FLOEPLAN_REST_TOKEN_LAKE: token } });

  it("goes with every call", async () => {
    await start({ kind: "bearer", token: SECRET });
    await useAll(await open(SECRET));
    expect(new Set(rest.requests.map(({ request }) => request.headers["authorization"]))).toEqual(new Set([`Bearer ${SECRET}`]));
    await useless(`Bearer ${SECRET}`);
  });
  const useless = async (token: string): Promise<void> => {
    rest.tables.remove("sales", "orders");
    await useAll(await open(token));
  };

  it("that is wrong is not shown, not even where the server repeats it", async () => {
    await start({ kind: "bearer", token: "another" });
    const error = await failure((await open(SECRET)).loadTable(ORDERS));
    expect(error).toMatchObject({
      kind: "auth",
      why: expect.stringContaining("The token **** is not valid"),
      mend: expect.stringContaining("FLOEPLAN_REST_TOKEN_LAKE"),
    });
    expect(shown(error)).not.toContain(SECRET);
  });

  it("that has ended by its own word is told with its time", async () => {
    await start({ kind: "bearer", token: "another" });
    const claims = Buffer.from(JSON.stringify({ exp: 1_700_000_000 })).toString("base64url");
    expect(await failure((await open(`eyJhbGciOiJub25lIn0.${claims}.sig`)).loadTable(ORDERS))).toMatchObject({
      mend: expect.stringContaining("expired at 2023-11-14T22:13:20.000Z"),
    });
  });

  it("is asked for by the name of its variable", async () => {
    await start({ kind: "none" });
    expect(await failure(openRest(rest, { settings: { auth: "bearer" } }))).toMatchObject({
      kind: "config",
      why: "The environment variable FLOEPLAN_REST_TOKEN_LAKE is not set",
    });
    expect(shown(await failure(open("two\nlines")))).not.toContain("two");
  });
});

describe("client credentials", () => {
  const CLIENT: FakeAccess = { kind: "oauth2", client: "ci", secret: SECRET };
  const OPTIONS: OpenOptions = { settings: { auth: "oauth2" }, environment: { FLOEPLAN_REST_CREDENTIAL_LAKE: `ci:${SECRET}` } };

  it("get one token for many calls at once", async () => {
    await start(CLIENT);
    const catalog = await openRest(rest, OPTIONS);
    await Promise.all(Array.from({ length: 8 }, () => catalog.loadTable(ORDERS)));
    await useAll(catalog);
    expect(rest.counts()["GetToken"]).toBe(1);
  });

  it("ask for the scope of the project file, with a secret alone too", async () => {
    await start({ kind: "oauth2", client: null, secret: SECRET, scope: "PRINCIPAL_ROLE:ALL" });
    await useAll(
      await openRest(rest, {
        settings: { auth: "oauth2", scope: "PRINCIPAL_ROLE:ALL" },
        environment: { FLOEPLAN_REST_CREDENTIAL_LAKE: SECRET },
      }),
    );
    expect(
      await failure(
        (await openRest(rest, { ...OPTIONS, environment: { FLOEPLAN_REST_CREDENTIAL_LAKE: SECRET } })).loadTable(ORDERS),
      ),
    ).toMatchObject({
      kind: "auth",
      mend: "Write the scope that the authorization server wants as `scope:` of the catalog",
    });
  });

  it.each([401, 419] as const)("get another token once where the server says %s of the one in use", async (overStatus) => {
    await start({ ...CLIENT, overStatus });
    const catalog = await openRest(rest, OPTIONS);
    await useAll(catalog);
    rest.access.endTokens();
    expect((await catalog.loadTable(ORDERS))?.metadata.properties["a"]).toBe("1");
    expect(rest.counts()["GetToken"]).toBe(2);
  });

  it("take no token for good that ends between two calls", async () => {
    await start({ ...CLIENT, lifetimeSeconds: 1000 });
    let nowMs = Date.now();
    const catalog = await openRest(rest, { ...OPTIONS, ports: { nowMs: () => nowMs } });
    await useAll(catalog);
    nowMs += 890_000;
    await catalog.loadTable(ORDERS);
    expect(rest.counts()["GetToken"]).toBe(1);
    nowMs += 20_000;
    await catalog.loadTable(ORDERS);
    expect(rest.counts()["GetToken"]).toBe(2);
  });

  it("do not go on and on where no token helps", async () => {
    await start({ ...CLIENT, lifetimeSeconds: 0 });
    const error = await failure((await openRest(rest, OPTIONS)).loadTable(ORDERS));
    expect(error).toMatchObject({ kind: "auth", mend: expect.stringContaining("FLOEPLAN_REST_CREDENTIAL_LAKE") });
    expect(rest.counts()["GetToken"]).toBeLessThanOrEqual(2);
  });

  it("go to the server that the environment names, or that the catalog's open settings name", async () => {
    await start({ ...CLIENT, path: "/idp/token" });
    const server = `${rest.url}/idp/token`;
    const environment = { ...OPTIONS.environment, FLOEPLAN_REST_OAUTH2_SERVER_URI_LAKE: server };
    await useAll(await openRest(rest, { ...OPTIONS, environment }));
    expect(await failure((await openRest(rest, OPTIONS)).loadTable(ORDERS))).toMatchObject({
      kind: "config",
      mend: expect.stringContaining("FLOEPLAN_REST_OAUTH2_SERVER_URI_LAKE"),
    });
    await rest.stop();
    await start({ ...CLIENT, path: "/idp/token" }, { hasOpenConfig: true, defaults: { "oauth2-server-uri": "/idp/token" } });
    await useAll(await openRest(rest, OPTIONS));
  });

  it("that are wrong are not shown, not even where the server repeats them", async () => {
    await start({ ...CLIENT, secret: "another" });
    const error = await failure((await openRest(rest, OPTIONS)).loadTable(ORDERS));
    expect(error).toMatchObject({
      kind: "auth",
      mend: "Check the client and secret in FLOEPLAN_REST_CREDENTIAL_LAKE, written as CLIENT:SECRET",
    });
    expect(shown(error)).toContain("****");
    expect(shown(error)).not.toContain(SECRET);
  });

  it("are asked for again where the server for tokens is not there for a moment", async () => {
    await start(CLIENT);
    rest.fault({ on: "GetToken", answer: restError(503, "ServiceUnavailable", "Soon."), times: 2 });
    await useAll(await openRest(rest, OPTIONS));
  });

  it("are not sent over an open line because a server says so", async () => {
    await start(CLIENT, { hasOpenConfig: true });
    const { trusted, refused } = await trustOf(["https://idp.example.com/token", "http://idp.example.com/token"]);
    expect([trusted, refused]).toEqual([["https://idp.example.com/token"], ["http://idp.example.com/token"]]);
  });

  /** Which servers for tokens a catalog on an encrypted line may name. */
  async function trustOf(names: readonly string[]): Promise<{ readonly trusted: string[]; readonly refused: string[] }> {
    const { oauth } = await import("../../src/catalog/rest-oauth.ts");
    const [trusted, refused]: [string[], string[]] = [[], []];
    for (const name of names) {
      const sent: string[] = [];
      const auth = oauth({
        credential: `ci:${SECRET}`,
        variable: "V",
        serverVariable: "S",
        server: null,
        base: "https://catalog.example.com",
        configUrl: "https://catalog.example.com/v1/config",
        scope: "catalog",
        http: async ({ url }) => {
          sent.push(url);
          return { status: 200, header: () => null, body: Buffer.from('{"access_token":"t","token_type":"bearer"}') };
        },
        times: { answerMs: 1000, idleMs: 1000 },
        ports: { wait: async () => {}, random: () => 0 },
        nowMs: () => 0,
        hide: (text) => text,
      });
      try {
        auth.learn({ "oauth2-server-uri": name }, "https://catalog.example.com");
        await auth.authorize({ method: "GET", url: "https://catalog.example.com/v1/namespaces", headers: {} });
        trusted.push(...sent);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        refused.push(name);
      }
    }
    return { trusted, refused };
  }
});

describe("a table's own token", () => {
  it("goes with commits and questions for keys, and the catalog's own where the table's is over", async () => {
    await start({ kind: "bearer", token: SECRET }, { gift: () => ({ config: { token: "of-the-table" } }) });
    rest.access.tableTokens.add("of-the-table");
    const catalog = await openRest(rest, { settings: { auth: "bearer" }, environment: { FLOEPLAN_REST_TOKEN_LAKE: SECRET } });
    await useAll(catalog);
    const sent = (): (string | undefined)[] =>
      rest.requests.filter(({ operation }) => operation === "CommitTable").map(({ request }) => request.headers["authorization"]);
    expect(sent()).toEqual(["Bearer of-the-table"]);
    rest.access.tableTokens.clear();
    const live = await catalog.loadTable(ORDERS);
    if (live === null) throw new Error("The table is gone");
    rest.clearCalls();
    done(await catalog.commit(live, commitOn(live, [setProperty("a", "2")])));
    expect(sent()).toEqual(["Bearer of-the-table", `Bearer ${SECRET}`]);
  });
});

describe("signatures", () => {
  const NAMES = [
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_PROFILE",
  ];
  beforeEach(() => {
    for (const name of NAMES) delete process.env[name];
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: FAKE_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_KEYS.secretAccessKey,
      AWS_CONFIG_FILE: "/nonexistent/config",
      AWS_SHARED_CREDENTIALS_FILE: "/nonexistent/credentials",
      AWS_EC2_METADATA_DISABLED: "true",
    });
  });
  const signed = (service: string): FakeAccess => ({ kind: "sigv4", service, region: "eu-west-1", keys: [FAKE_KEYS] });
  const settings = { auth: "sigv4", region: "eu-west-1" };

  it.each(["glue", "s3tables", "execute-api"])("are made for %s, over paths with escapes and pages too", async (service) => {
    await start(signed(service), { prefix: "catalogs/444455556666:x", pageSize: 1 });
    const catalog = await openRest(rest, { settings: { ...settings, signingName: service } });
    await useAll(catalog);
    await catalog.createNamespace(["a b"]);
    expect(await catalog.namespaceExists(["a b"])).toBe(true);
    const found: string[] = [];
    for await (const { name } of catalog.listTables()) found.push(name);
    expect(found).toEqual(["orders"]);
  });

  it("are corrected where the machine's clock is off", async () => {
    await start(signed("glue"), { clockOffsetMs: 3_600_000 });
    await useAll(await openRest(rest, { settings: { ...settings, signingName: "glue" } }));
  });

  it("of another region or name are told with both settings", async () => {
    await start(signed("glue"));
    for (const other of [{ signingName: "execute-api" }, { signingName: "glue", region: "us-east-1" }]) {
      expect(await failure((await openRest(rest, { settings: { ...settings, ...other } })).loadTable(ORDERS))).toMatchObject({
        kind: "auth",
        mend: expect.stringContaining("Check the AWS credentials in use, the region"),
      });
    }
  });

  it("need keys, and say how they are given", async () => {
    await start(signed("glue"));
    delete process.env["AWS_ACCESS_KEY_ID"];
    delete process.env["AWS_SECRET_ACCESS_KEY"];
    const error = await failure((await openRest(rest, { settings: { ...settings, signingName: "glue" } })).loadTable(ORDERS));
    expect(error).toMatchObject({ kind: "auth", mend: expect.stringContaining("aws-actions/configure-aws-credentials") });
  });

  it("take name and region from the host of an AWS endpoint, and say what such a catalog can do", async () => {
    await start({ kind: "none" });
    const options = { type: "rest", uri: "https://s3tables.eu-central-1.amazonaws.com/iceberg", auth: "sigv4" };
    const catalog = await openCatalog(options, { name: "lake", root: "/", ports: systemPorts() });
    expect(catalog.capabilities).toMatchObject({ tableLocation: false, nestedNamespaces: false, lowerCaseNames: true });
    await expect(
      openCatalog({ ...options, uri: "https://catalog.example.com" }, { name: "lake", root: "/", ports: systemPorts() }),
    ).rejects.toMatchObject({ kind: "config", mend: "Write `region:` of the catalog in the project file, or set AWS_REGION" });
  });
});
