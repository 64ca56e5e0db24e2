// A strict S3 Tables in this process, over real HTTP (REST-JSON): version tokens enforced, metadata locations held to the
// table's own storage, names checked, pages, signatures. Objects are in the fake S3, in a bucket a table, where nothing is
// listed or deleted. What it does not know fails the test. `const tables = await startS3Tables({ s3 })`
import { randomUUID } from "node:crypto";
import { type CallName, type FakeAnswer, type FakeRequest, type HttpFake, startHttpFake } from "./http-fake.ts";
import { FAKE_KEYS, type FakeS3 } from "./s3.ts";
import { checkSignature, type FakeKeys } from "./s3-signature.ts";
import type { TableStorage } from "./s3-state.ts";
import type { IcebergInput } from "./s3-tables-metadata.ts";
import { type S3TablesOperation, type S3TablesRequest, s3TablesRequest } from "./s3-tables-routes.ts";
import {
  badRequest,
  createNamespace,
  createTable,
  newToken,
  notFound,
  renameTable,
  requireNamespace,
  S3TablesRefusal,
  type StoredTable,
  tableOf,
  type TablesStore,
  updateMetadataLocation,
} from "./s3-tables-state.ts";

export interface S3TablesOptions {
  readonly s3: FakeS3;
  /** Of the table bucket. Without: `lake`. */
  readonly bucket?: string;
  /** Without: 011122223333. */
  readonly account?: string;
  /** Without: us-east-1. */
  readonly region?: string;
  readonly namespaces?: readonly string[];
  /** Of every table's bucket. */
  readonly storage?: TableStorage;
  /** The bucket that a new table is stored in. Without: a random name that ends in `--table-s3`. */
  readonly storageName?: (namespace: string, name: string) => string;
  /** Added to the machine's clock. */
  readonly clockOffsetMs?: number;
  /** The keys that may sign. Without: FAKE_KEYS. */
  readonly keys?: readonly FakeKeys[];
}

/** Tables looked at and changed from outside, past HTTP and its checks. */
export interface S3TablesTables {
  get(namespace: string, name: string): Readonly<StoredTable> | undefined;
  /** As CreateTable; with a schema the service writes the first metadata. */
  create(namespace: string, name: string, iceberg?: IcebergInput): Readonly<StoredTable>;
  /** Another writer's commit: the metadata file is put into the table's storage and made the live one. */
  commit(namespace: string, name: string, metadata: Uint8Array | string): string;
  /** Sets the pointer, or takes it away, whatever it is. */
  point(namespace: string, name: string, metadataLocation: string | null): void;
  patch(namespace: string, name: string, members: Partial<Pick<StoredTable, "type" | "managedByService">>): void;
  rename(namespace: string, name: string, to: { readonly namespace?: string; readonly name?: string }): void;
  remove(namespace: string, name: string): void;
}

export interface FakeS3Tables
  extends Pick<HttpFake, "url" | "calls" | "counts" | "clearCalls" | "fault" | "setLatency" | "stop"> {
  readonly arn: string;
  readonly tables: S3TablesTables;
  /** For a program whose AWS SDK is to talk to this fake. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function startS3Tables(options: S3TablesOptions): Promise<FakeS3Tables> {
  const { s3, bucket = "lake", account = "011122223333", region = "us-east-1", clockOffsetMs = 0, keys = [FAKE_KEYS] } = options;
  const nowMs = (): number => Date.now() + clockOffsetMs;
  const store: TablesStore = {
    arn: `arn:aws:s3tables:${region}:${account}:bucket/${bucket}`,
    s3,
    namespaces: new Map(),
    tables: new Map(),
    newStorage: (namespace, name) => {
      const storage = options.storageName?.(namespace, name) ?? `${randomUUID()}--table-s3`;
      s3.addBucket(storage, { region, tableStorage: options.storage ?? {} });
      return storage;
    },
    nowMs,
  };
  for (const name of options.namespaces ?? []) createNamespace(store, name);

  const answer = (request: FakeRequest, call: CallName): FakeAnswer => {
    const asked = s3TablesRequest(request);
    if (asked === null) throw new Error(`${call.operation} was named and is not known`);
    const check = checkSignature(request, { service: "s3tables", keys, nowMs: nowMs() });
    if (check.state === "bad") return refuseSignature(check.problem, check.why);
    const arn = asked.members["arn"] ?? asked.members["tableBucketARN"] ?? store.arn;
    const [, , , arnRegion = "", arnAccount = ""] = arn.split(":");
    if (check.region !== arnRegion) throw new Error(`The call was signed for ${check.region}, and the bucket is in ${arnRegion}`);
    if (arnAccount !== account) return otherAccount(asked.operation, arn);
    if (arn !== store.arn) throw notFound("The specified bucket does not exist.");
    return run(store, asked);
  };

  const http = await startHttpFake("The fake S3 Tables", {
    name: (request) => {
      const asked = s3TablesRequest(request);
      return asked === null ? null : { operation: asked.operation, target: targetOf(asked) };
    },
    answer: (request, call) => {
      const date = new Date(nowMs()).toUTCString();
      const dated = ({ headers, ...rest }: FakeAnswer): FakeAnswer => ({ ...rest, headers: { date, ...headers } });
      try {
        return dated(answer(request, call));
      } catch (error) {
        if (!(error instanceof S3TablesRefusal)) throw error;
        return dated(s3TablesError(error.code, error.message, error.status));
      }
    },
  });
  const { url, calls, counts, clearCalls, fault, setLatency, stop } = http;
  return {
    url,
    calls,
    counts,
    clearCalls,
    fault,
    setLatency,
    stop,
    arn: store.arn,
    tables: tablesOf(store),
    variables: {
      AWS_ENDPOINT_URL_S3TABLES: http.url,
      AWS_ACCESS_KEY_ID: FAKE_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_KEYS.secretAccessKey,
      AWS_EC2_METADATA_DISABLED: "true",
    },
  };
}

/** An exception of the service, for faults too. */
export function s3TablesError(code: string, message: string, status = 400): FakeAnswer {
  return json(status, { message }, { "x-amzn-errortype": code });
}

function run(store: TablesStore, { operation, members, body }: S3TablesRequest): FakeAnswer {
  const { namespace = "", name = "" } = members;
  const created = (timeMs: number): object => ({ createdAt: new Date(timeMs).toISOString(), createdBy: "011122223333" });
  switch (operation) {
    case "CreateNamespace": {
      const [first = "", ...more] = body["namespace"] as readonly string[];
      if (more.length > 0) throw badRequest("A namespace has one level.");
      createNamespace(store, first);
      return json(200, { tableBucketARN: store.arn, namespace: [first] });
    }
    case "GetNamespace":
      requireNamespace(store, namespace);
      return json(200, {
        namespace: [namespace],
        ...created(store.namespaces.get(namespace) ?? 0),
        ownerAccountId: "011122223333",
      });
    case "ListNamespaces": {
      const found = [...store.namespaces].filter(([one]) => one.startsWith(members["prefix"] ?? ""));
      const all = found.map(([one, timeMs]) => ({ namespace: [one], ...created(timeMs), ownerAccountId: "011122223333" }));
      return json(200, paged("namespaces", all, members, members["maxNamespaces"]));
    }
    case "CreateTable": {
      if (body["format"] !== "ICEBERG") throw badRequest("The specified format is not valid.");
      const { iceberg = null } = (body["metadata"] ?? {}) as { readonly iceberg?: IcebergInput };
      const table = createTable(store, namespace, String(body["name"]), iceberg);
      return json(200, { tableARN: tableArn(store, table), versionToken: table.versionToken });
    }
    case "GetTable": {
      const table = tableOf(store, namespace, name);
      return json(200, { ...summary(store, table), ...pointer(table), ...created(table.createdAtMs), format: "ICEBERG" });
    }
    case "ListTables": {
      if (namespace !== "") requireNamespace(store, namespace);
      const all = [...store.tables.values()]
        .filter((table) => namespace === "" || table.namespace === namespace)
        .filter((table) => table.name.startsWith(members["prefix"] ?? ""))
        .map((table) => summary(store, table));
      return json(200, paged("tables", all, members, members["maxTables"]));
    }
    case "GetTableMetadataLocation":
      return json(200, pointer(tableOf(store, namespace, name)));
    case "UpdateTableMetadataLocation": {
      const table = tableOf(store, namespace, name);
      const { versionToken, metadataLocation } = body;
      if (typeof versionToken !== "string" || typeof metadataLocation !== "string" || versionToken === "")
        throw badRequest("A version token is not specified");
      updateMetadataLocation(store, table, versionToken, metadataLocation);
      const { warehouseLocation: _, ...rest } = pointer(table);
      return json(200, { name, tableARN: tableArn(store, table), namespace: [namespace], ...rest });
    }
    case "RenameTable": {
      const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
      renameTable(store, tableOf(store, namespace, name), {
        namespace: text(body["newNamespaceName"]),
        name: text(body["newName"]),
        token: text(body["versionToken"]),
      });
      return { status: 204 };
    }
  }
}

function pointer({ versionToken, metadataLocation, warehouse }: StoredTable): {
  readonly versionToken: string;
  readonly metadataLocation?: string;
  readonly warehouseLocation: string;
} {
  return { versionToken, ...(metadataLocation === null ? {} : { metadataLocation }), warehouseLocation: warehouse };
}

function summary(store: TablesStore, table: StoredTable): object {
  const { namespace, name, type, managedByService, createdAtMs, modifiedAtMs } = table;
  return {
    namespace: [namespace],
    name,
    type,
    tableARN: tableArn(store, table),
    createdAt: new Date(createdAtMs).toISOString(),
    modifiedAt: new Date(modifiedAtMs).toISOString(),
    ...(managedByService === null ? {} : { managedByService }),
  };
}

function tableArn({ arn }: TablesStore, { id }: StoredTable): string {
  return `${arn}/table/${id}`;
}

const LARGEST_PAGE = 1000;

/** In the order in which they were made, as nothing else is promised. */
function paged(member: string, items: readonly object[], members: S3TablesRequest["members"], asked: string | undefined): object {
  const most = asked === undefined ? LARGEST_PAGE : Number(asked);
  if (!(most >= 1 && most <= LARGEST_PAGE)) throw badRequest("The maximum number of items is not valid.");
  const token = members["continuationToken"];
  const start = token === undefined ? 0 : Number(/^page (\d+)$/.exec(Buffer.from(token, "base64").toString("utf8"))?.[1]);
  if (!Number.isInteger(start)) throw badRequest("The continuation token is not valid.");
  const end = start + most;
  return {
    [member]: items.slice(start, end),
    ...(end < items.length ? { continuationToken: Buffer.from(`page ${end}`).toString("base64") } : {}),
  };
}

function targetOf({ members, body }: S3TablesRequest): string {
  const made = Array.isArray(body["namespace"]) ? String(body["namespace"][0]) : undefined;
  const parts = [members["namespace"] ?? made, members["name"] ?? body["name"]];
  return parts.filter((part) => typeof part === "string").join(".");
}

function otherAccount(operation: S3TablesOperation, arn: string): FakeAnswer {
  return s3TablesError(
    "AccessDeniedException",
    `User: arn:aws:sts::011122223333:assumed-role/plan/session is not authorized to perform: s3tables:${operation} on resource: ${arn} because no resource-based policy allows the s3tables:${operation} action`,
    403,
  );
}

function refuseSignature(problem: string, why: string): FakeAnswer {
  if (problem === "skewed") return s3TablesError("InvalidSignatureException", `Signature expired: ${why}`, 403);
  if (problem === "unknown-key" || problem === "wrong-token")
    return s3TablesError("UnrecognizedClientException", "The security token included in the request is invalid.", 403);
  return s3TablesError("InvalidSignatureException", `The request signature does not match: ${why}`, 403);
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): FakeAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

function tablesOf(store: TablesStore): S3TablesTables {
  const find = (namespace: string, name: string): StoredTable => tableOf(store, namespace, name);
  return {
    get: (namespace, name) => store.tables.get(`${namespace}.${name}`),
    create: (namespace, name, iceberg) => createTable(store, namespace, name, iceberg ?? null),
    commit: (namespace, name, metadata) => {
      const table = find(namespace, name);
      const location = `${table.warehouse}/metadata/service-${randomUUID()}.metadata.json`;
      store.s3.objects.put(location, metadata);
      updateMetadataLocation(store, table, table.versionToken, location);
      return location;
    },
    point: (namespace, name, metadataLocation) =>
      void Object.assign(find(namespace, name), { metadataLocation, versionToken: newToken() }),
    patch: (namespace, name, members) => void Object.assign(find(namespace, name), members),
    rename: (namespace, name, to) =>
      renameTable(store, find(namespace, name), { namespace: to.namespace ?? null, name: to.name ?? null, token: null }),
    remove: (namespace, name) => void store.tables.delete(`${namespace}.${name}`),
  };
}
