// A strict Glue Data Catalog in this process, over real HTTP (JSON 1.1): VersionId enforced, the whole TableInput
// replaced, shapes and lengths checked, names lower-cased, pages, signatures, the account. What it does not know
// fails the test. `const glue = await startGlue({ account: "011122223333", databases: ["sales"] })`.
import { type CallName, type FakeAnswer, type FakeRequest, type HttpFake, startHttpFake } from "./http-fake.ts";
import { type GlueOperation, REQUESTS, violations } from "./glue-shapes.ts";
import {
  createDatabase,
  createTable,
  databaseOf,
  deleteTable,
  GlueRefusal,
  type GlueStore,
  type Fields,
  tableOf,
  tableVersions,
  updateTable,
} from "./glue-state.ts";
import { FAKE_KEYS } from "./s3.ts";
import { checkSignature, type FakeKeys } from "./s3-signature.ts";

export interface GlueOptions {
  readonly account: string;
  /** Names, or names with what else a database has. */
  readonly databases: readonly string[] | Readonly<Record<string, Fields>>;
  /** Without: us-east-1. */
  readonly region?: string;
  /** Given to databases that are made without one. Without: none, as in AWS. */
  readonly newDatabaseLocation?: (name: string) => string;
  /** Bytes of a request. Without: 1 MiB; AWS does not tell. */
  readonly maxPayload?: number;
  /** Without: 100,000. */
  readonly maxVersions?: number;
  /** Added to the machine's clock. */
  readonly clockOffsetMs?: number;
  /** The keys that may sign. Without: FAKE_KEYS. */
  readonly keys?: readonly FakeKeys[];
}

/** Entries looked at and set from outside, past HTTP and its checks. */
export interface GlueTables {
  /** As GetTable answers it; undefined when there is none. */
  get(database: string, name: string): Fields | undefined;
  /** Makes or replaces an entry whole, as another writer would; its version goes up. */
  put(database: string, input: Fields): void;
  /** Changes single members of an entry as it is answered, without a new version. */
  patch(database: string, name: string, members: Fields): void;
  remove(database: string, name: string): void;
  /** Numbers of all versions that are kept, newest first. */
  versions(database: string, name: string): readonly number[];
}

export interface FakeGlue extends Pick<HttpFake, "url" | "calls" | "counts" | "clearCalls" | "fault" | "setLatency" | "stop"> {
  readonly tables: GlueTables;
  /** What each call was sent, in order. */
  readonly requests: readonly { readonly operation: GlueOperation; readonly input: Fields }[];
  /** For a program whose AWS SDK is to talk to this fake. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function startGlue(options: GlueOptions): Promise<FakeGlue> {
  const { account, region = "us-east-1", clockOffsetMs = 0, keys = [FAKE_KEYS] } = options;
  const nowMs = (): number => Date.now() + clockOffsetMs;
  const store: GlueStore = {
    account,
    databases: new Map(),
    newDatabaseLocation: options.newDatabaseLocation ?? null,
    nowSeconds: () => Math.floor(nowMs() / 1000),
  };
  const named = Array.isArray(options.databases)
    ? Object.fromEntries(options.databases.map((name: string) => [name, {}]))
    : options.databases;
  for (const [Name, more] of Object.entries(named)) createDatabase(store, { Name, ...(more as Fields) });
  const requests: { operation: GlueOperation; input: Fields }[] = [];

  const answer = (request: FakeRequest, call: CallName): FakeAnswer => {
    const operation = operationOf(request) ?? unknown(call);
    const check = checkSignature(request, { service: "glue", keys, nowMs: nowMs() });
    if (check.state === "bad") return refuseSignature(check.problem, check.why);
    if (check.region !== region) throw new Error(`The call was signed for ${check.region}, and this is ${region}`);
    const input = JSON.parse(Buffer.from(request.body).toString("utf8")) as Fields;
    requests.push({ operation, input });
    if (request.body.length > (options.maxPayload ?? 1024 * 1024))
      return glueError("InvalidInputException", "Payload size of request exceeded limit");
    const faults = violations(REQUESTS[operation], input, operation);
    if (faults.length > 0)
      return glueError("ValidationException", `${faults.length} validation errors detected: ${faults.join("; ")}`);
    if (input["CatalogId"] !== undefined && input["CatalogId"] !== account) return otherAccount(operation, input, region);
    return json(200, run(store, operation, input, options));
  };

  const http = await startHttpFake("The fake Glue", {
    name: (request) => {
      const operation = operationOf(request);
      return operation === null ? null : { operation, target: targetOf(request) };
    },
    answer: (request, call) => {
      const date = new Date(nowMs()).toUTCString();
      try {
        const { headers, ...rest } = answer(request, call);
        return { ...rest, headers: { date, ...headers } };
      } catch (error) {
        if (!(error instanceof GlueRefusal)) throw error;
        const { headers, ...rest } = glueError(error.code, error.message);
        return { ...rest, headers: { date, ...headers } };
      }
    },
  });
  return {
    url: http.url,
    calls: http.calls,
    counts: http.counts,
    clearCalls: () => {
      http.clearCalls();
      requests.length = 0;
    },
    fault: http.fault,
    setLatency: http.setLatency,
    stop: http.stop,
    requests,
    tables: tablesOf(store),
    variables: {
      AWS_ENDPOINT_URL_GLUE: http.url,
      AWS_ACCESS_KEY_ID: FAKE_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_KEYS.secretAccessKey,
      AWS_REGION: region,
      AWS_EC2_METADATA_DISABLED: "true",
    },
  };
}

/** An exception of the service, for faults too. Without a status: 400, as all but internal failures have. */
export function glueError(code: string, message: string, status = 400): FakeAnswer {
  return json(status, { __type: code, Message: message });
}

function run(store: GlueStore, operation: GlueOperation, input: Fields, options: GlueOptions): Fields {
  switch (operation) {
    case "CreateDatabase":
      createDatabase(store, input["DatabaseInput"] as Fields);
      return {};
    case "GetDatabase":
      return { Database: databaseOf(store, input["Name"]).entry };
    case "GetDatabases":
      return paged(
        "DatabaseList",
        sorted(store.databases).map((database) => database.entry),
        input,
      );
    case "GetTable":
      return { Table: tableOf(store, input["DatabaseName"], input["Name"]).entry };
    case "GetTables": {
      const expression = input["Expression"] === undefined ? null : new RegExp(`^(?:${textOf(input["Expression"])})$`);
      const entries = sorted(databaseOf(store, input["DatabaseName"]).tables).map((table) => table.entry);
      return paged(
        "TableList",
        entries.filter((entry) => expression === null || expression.test(textOf(entry["Name"]))),
        input,
      );
    }
    case "CreateTable":
      createTable(store, input["DatabaseName"], input["TableInput"] as Fields);
      return {};
    case "UpdateTable":
      updateTable(store, input["DatabaseName"], input["TableInput"] as Fields, {
        versionId: input["VersionId"],
        skipArchive: input["SkipArchive"] === true,
        maxVersions: options.maxVersions ?? 100_000,
      });
      return {};
    case "DeleteTable":
      deleteTable(store, input["DatabaseName"], input["Name"]);
      return {};
    case "GetTableVersions": {
      const table = tableOf(store, input["DatabaseName"], input["TableName"]);
      return paged(
        "TableVersions",
        tableVersions(table).map(({ version, entry }) => ({ VersionId: String(version), Table: entry })),
        input,
      );
    }
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function paged(member: string, items: readonly Fields[], input: Fields): Fields {
  const token = input["NextToken"];
  const start = token === undefined ? 0 : tokenStart(textOf(token));
  const end = start + Number(input["MaxResults"] ?? 100);
  return {
    [member]: items.slice(start, end),
    ...(end < items.length ? { NextToken: Buffer.from(`page ${end}`).toString("base64") } : {}),
  };
}

function tokenStart(token: string): number {
  const [, start] = /^page (\d+)$/.exec(Buffer.from(token, "base64").toString("utf8")) ?? [];
  if (start === undefined) throw new GlueRefusal("InvalidInputException", "Invalid token");
  return Number(start);
}

function operationOf(request: FakeRequest): GlueOperation | null {
  const isCall =
    request.method === "POST" && request.path === "/" && request.headers["content-type"] === "application/x-amz-json-1.1";
  const name = /^AWSGlue\.(\w+)$/.exec(request.headers["x-amz-target"] ?? "")?.[1] ?? "";
  return isCall && name in REQUESTS ? (name as GlueOperation) : null;
}

function targetOf(request: FakeRequest): string {
  const input = JSON.parse(Buffer.from(request.body).toString("utf8")) as Fields;
  const inner = (input["TableInput"] ?? input["DatabaseInput"] ?? {}) as Fields;
  return [input["DatabaseName"], input["Name"] ?? input["TableName"] ?? inner["Name"]]
    .filter((part) => part !== undefined)
    .map(textOf)
    .join(".");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function unknown(call: CallName): never {
  throw new Error(`${call.operation} was named and is not known`);
}

function otherAccount(operation: string, input: Fields, region: string): FakeAnswer {
  const resource = `arn:aws:glue:${region}:${textOf(input["CatalogId"])}:catalog`;
  return glueError(
    "AccessDeniedException",
    `User: arn:aws:sts::999999999999:assumed-role/plan/session is not authorized to perform: glue:${operation} on resource: ${resource} because no resource-based policy allows the glue:${operation} action`,
  );
}

function refuseSignature(problem: string, why: string): FakeAnswer {
  if (problem === "skewed") return glueError("InvalidSignatureException", `Signature expired: ${why}`);
  if (problem === "unknown-key" || problem === "wrong-token")
    return glueError("UnrecognizedClientException", "The security token included in the request is invalid.");
  return glueError("InvalidSignatureException", `The request signature does not match: ${why}`);
}

function json(status: number, body: Fields): FakeAnswer {
  return { status, headers: { "content-type": "application/x-amz-json-1.1" }, body: JSON.stringify(body) };
}

function tablesOf(store: GlueStore): GlueTables {
  return {
    get: (database, name) => store.databases.get(database)?.tables.get(name)?.entry,
    put: (database, input) => {
      const isThere = databaseOf(store, database).tables.has(textOf(input["Name"]));
      if (!isThere) createTable(store, database, input);
      else updateTable(store, database, input, { versionId: undefined, skipArchive: true, maxVersions: 0 });
    },
    patch: (database, name, members) => {
      const table = tableOf(store, database, name);
      table.entry = { ...table.entry, ...members };
    },
    remove: (database, name) => deleteTable(store, database, name),
    versions: (database, name) => tableVersions(tableOf(store, database, name)).map(({ version }) => version),
  };
}
