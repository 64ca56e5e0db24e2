// Answers of an Iceberg REST catalog: the client loads, lists, asks and commits, and one of the calls is answered with
// what no server should send. However a commit ends, it ends as one of its four ways.
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { systemPorts } from "../../../src/catalog/open-catalog.ts";
import { connectRest } from "../../../src/catalog/rest.ts";
import type { SendHttp } from "../../../src/catalog/rest-http.ts";
import { restSettings } from "../../../src/catalog/rest-settings.ts";
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import { parseJson } from "../../../src/iceberg/json-parse.ts";
import { createMemoryStore } from "../../../src/storage/memory.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { mutateTree } from "../mutate/json.ts";
import { utf8WithSurrogates } from "../mutate/text.ts";
import { printJson, type Tree, treeOf } from "../mutate/tree.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";

const CALLS = ["config", "token", "namespaces", "namespace", "tables", "table", "commit"] as const;
type Call = (typeof CALLS)[number];

const STATUSES = [200, 200, 200, 200, 200, 204, 304, 400, 403, 404, 406, 409, 419, 500, 502, 503] as const;
/** More than any walk over one page of each list takes. */
const MOST_CALLS = 300;

const FIXED: Readonly<Record<Exclude<Call, "table" | "commit">, string>> = {
  config:
    '{"defaults":{"prefix":"p"},"overrides":{"uri":"http://catalog.test"},"endpoints":["GET /v1/{prefix}/namespaces","POST /v1/{prefix}/namespaces/{namespace}/tables/{table}","GET /v1/{prefix}/namespaces/{namespace}/tables/{table}","GET /v1/{prefix}/namespaces/{namespace}/tables"]}',
  token:
    '{"access_token":"abcdef","token_type":"bearer","expires_in":3600,"issued_token_type":"urn:ietf:params:oauth:token-type:access_token"}',
  namespaces: '{"namespaces":[["sales"],["a","b"]],"next-page-token":null}',
  namespace: '{"namespace":["sales"],"properties":{"location":"s3://b/sales"}}',
  tables: '{"identifiers":[{"namespace":["sales"],"name":"orders"}],"next-page-token":null}',
};
const ERROR = '{"error":{"message":"No","type":"CommitFailedException","code":409,"stack":["a"]}}';

/** An input is the call, its status, a line end, and the body. */
export const rest: FuzzTarget = {
  name: "rest",
  about: "answers of an Iceberg REST catalog, through the client: settings, tokens, lists, tables, commits, errors",
  isSeed: ({ path, bytes }) => /v[23][^/]*\.metadata\.json$/.test(path) && !path.includes("wrong") && bytes[0] === 0x7b,
  open: (files) => {
    const tables = files.map(
      ({ bytes }) =>
        `{"metadata-location":"s3://b/t/metadata/v1.metadata.json","metadata":${Buffer.from(bytes).toString("utf8")},"config":{"token":"t","s3.access-key-id":"k","s3.secret-access-key":"s"},"storage-credentials":[{"prefix":"s3://b","config":{"s3.session-token":"x","s3.access-key-id":"k","s3.secret-access-key":"s"}}]}`,
    );
    const trees = new Map<Call, readonly Tree[]>(
      CALLS.map((call) => [
        call,
        (call === "table" || call === "commit" ? tables : [FIXED[call]]).map((text) => treeOf(parseJson(text))),
      ]),
    );
    const error = treeOf(parseJson(ERROR));
    const committed = tables[0]
      ?.replace('"properties":', '"was":')
      .replace('"last-updated-ms"', '"properties":{"a":"b"},"last-updated-ms"');
    const good = (call: Call): string => (call === "commit" ? committed : call === "table" ? tables[0] : FIXED[call]) ?? "{}";
    return {
      make: (random) => {
        const call = random.pick(CALLS);
        const status = random.pick(STATUSES);
        const own = trees.get(call) ?? [error];
        const tree = status >= 400 ? error : random.pick(own);
        const text = utf8WithSurrogates(printJson(mutateTree(tree, random, random.pick(own))));
        const body = random.once(15) ? mutateBytes(text, random, text) : text;
        return new Uint8Array(Buffer.concat([Buffer.from(`${call} ${status}\n`), body]));
      },
      use: async (input) => {
        const end = Math.max(0, input.indexOf(10));
        const [call = "", status = ""] = new TextDecoder().decode(input.subarray(0, end)).split(" ");
        return await useCatalog(call, Number(status), input.subarray(end + 1), good);
      },
    };
  },
};

function callOf(method: string, url: string): Call {
  if (url.includes("/v1/config")) return "config";
  if (url.includes("/oauth/tokens")) return "token";
  if (/\/tables\/[^/]+/.test(url)) return method === "POST" ? "commit" : "table";
  if (/\/tables/.test(url)) return "tables";
  return /\/namespaces\/[^/?]+$/.test(url) ? "namespace" : "namespaces";
}

async function useCatalog(wrong: string, status: number, body: Uint8Array, good: (call: Call) => string): Promise<Outcome> {
  let calls = 0;
  const http: SendHttp = async ({ method, url }) => {
    if (++calls > MOST_CALLS) throw new WrongAcceptance(`More than ${MOST_CALLS} calls were made`);
    const call = callOf(method, url);
    const isWrong = call === wrong;
    return {
      status: isWrong ? status : 200,
      header: (name) => (name === "content-type" ? "application/json" : null),
      body: isWrong ? body : new TextEncoder().encode(good(call)),
    };
  };
  const nothing = async (): Promise<void> => {};
  const times = { answerMs: 1000, idleMs: 1000 };
  const ports = { ...systemPorts(), wait: nothing };
  const catalog = await connectRest(
    restSettings(
      "lake",
      { uri: "http://catalog.test", ...(wrong === "token" ? { auth: "oauth2" } : {}) },
      { FLOEPLAN_LAKE_CREDENTIAL: "id:secret" },
    ),
    { http, ports: { wait: nothing, random: () => 0.5 }, times: { read: times, write: times }, nowMs: () => 1_900_000_000_000 },
    { ports, openS3: () => createMemoryStore() },
  );
  return await askAll(catalog);
}

async function askAll(catalog: Catalog): Promise<Outcome> {
  const failures: string[] = [];
  const ask = async (call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof ToolError) || error.kind === "internal") throw error;
      failures.push(error.kind);
    }
  };
  await ask(async () => await catalog.namespaceExists(["sales"]));
  await ask(async () => {
    for await (const identifier of catalog.listTables()) void identifier.name;
  });
  await ask(async () => {
    const live = await catalog.loadTable({ namespace: ["sales"], name: "orders" });
    if (live === null) return;
    for (const snapshot of live.metadata.snapshots) void snapshot.snapshotId;
    const outcome = await catalog.commit(live, {
      requirements: [],
      updates: [{ action: "set-properties", updates: { a: "b" } }],
      attempt: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    });
    if (outcome.state !== "done") failures.push(outcome.state);
  });
  return failures[0] === undefined ? ACCEPTED : refused(failures[0]);
}
