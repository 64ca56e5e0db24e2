// A strict Iceberg REST catalog in this process, over real HTTP: settings with a prefix, pages, namespaces in levels,
// requirements and updates carried out on the server, keys that are known again, ways to sign in, tags of states. What it
// does not know, and bodies that the protocol does not have, fail the test. `const rest = await startRest({ store })`.
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { type CallName, type FakeAnswer, type FakeRequest, type HttpFake, startHttpFake } from "./http-fake.ts";
import { type AccessCheck, accessCheck, type FakeAccess, json, restError } from "./rest-access.ts";
import { type Json, type JsonMap, mapOf, parseJson, textOf } from "./rest-json.ts";
import { type BODIES, checkBody } from "./rest-shapes.ts";
import {
  type Answer,
  commitTable,
  createNamespace,
  createTable,
  keyOf,
  type Namespace,
  requireNamespace,
  type RestState,
  tableOf,
} from "./rest-state.ts";
import { RestRefusal, type RestWays } from "./rest-updates.ts";

export { restError } from "./rest-access.ts";

export const ENDPOINTS = {
  ListNamespaces: "GET /v1/{prefix}/namespaces",
  CreateNamespace: "POST /v1/{prefix}/namespaces",
  LoadNamespace: "GET /v1/{prefix}/namespaces/{namespace}",
  NamespaceExists: "HEAD /v1/{prefix}/namespaces/{namespace}",
  ListTables: "GET /v1/{prefix}/namespaces/{namespace}/tables",
  CreateTable: "POST /v1/{prefix}/namespaces/{namespace}/tables",
  LoadTable: "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}",
  CommitTable: "POST /v1/{prefix}/namespaces/{namespace}/tables/{table}",
  LoadCredentials: "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials",
  LoadView: "GET /v1/{prefix}/namespaces/{namespace}/views/{view}",
  ViewExists: "HEAD /v1/{prefix}/namespaces/{namespace}/views/{view}",
} as const;

export type RestOperation = keyof typeof ENDPOINTS | "GetConfig" | "GetToken";

export interface TableGift {
  readonly config?: Readonly<Record<string, string>>;
  readonly credentials?: readonly { readonly prefix: string; readonly config: Readonly<Record<string, string>> }[];
}

export interface RestOptions {
  /** Holds the metadata files. */
  readonly store: ObjectStore;
  /** Without: `memory://warehouse`. */
  readonly warehouse?: string;
  readonly access?: FakeAccess;
  /** May settings be asked for by anybody? Without: false. */
  readonly hasOpenConfig?: boolean;
  /** The only warehouse that is served. */
  readonly named?: string;
  readonly prefix?: string;
  /** As it stands in addresses. */
  readonly separator?: string;
  readonly defaults?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
  /** Calls that the server does not have. They are not in its list, and are refused. */
  readonly lacks?: readonly (keyof typeof ENDPOINTS)[];
  /** Does it give a list of its calls? Without: true. */
  readonly listsCalls?: boolean;
  readonly pageSize?: number;
  /** ISO 8601; without: no keys are known. */
  readonly keyLifetime?: string;
  /** Are states told by tags? Without: true. */
  readonly hasTags?: boolean;
  readonly hasStaging?: boolean;
  readonly ways?: RestWays;
  readonly ownProperties?: Readonly<Record<string, string>>;
  /** What comes with a table; null: nobody may have it. */
  readonly gift?: (namespace: Namespace, name: string, isWanted: boolean) => TableGift | null;
  readonly views?: readonly (readonly string[])[];
  /** Added to the machine's clock. */
  readonly clockOffsetMs?: number;
}

/** Tables looked at and changed from outside, past HTTP. */
export interface RestTables {
  metadata(...levels: string[]): JsonMap | undefined;
  location(...levels: string[]): string | undefined;
  /** As another client's commit that requires nothing. */
  commit(levels: readonly string[], ...updates: readonly Json[]): Promise<void>;
  remove(...levels: string[]): void;
  create(levels: readonly string[], request?: JsonMap): Promise<void>;
  namespace(...levels: string[]): void;
  /** A table whose files are there already, its metadata file among them. */
  register(levels: readonly string[], location: string): Promise<void>;
}

export interface FakeRest extends Pick<HttpFake, "url" | "calls" | "counts" | "clearCalls" | "fault" | "setLatency" | "stop"> {
  readonly tables: RestTables;
  /** What each call was sent, in order. */
  readonly requests: readonly { readonly operation: RestOperation; readonly request: FakeRequest }[];
  readonly ways: RestWays;
  readonly access: AccessCheck;
  /** Commits and creations that were carried out, those by a key that was known left out. */
  readonly effects: () => number;
}

interface Route {
  readonly operation: RestOperation;
  readonly namespace: Namespace;
  readonly name: string;
}

export async function startRest(options: RestOptions): Promise<FakeRest> {
  const nowMs = (): number => Date.now() + (options.clockOffsetMs ?? 0);
  const ways: RestWays = { ...options.ways };
  const state: RestState = {
    store: options.store,
    warehouse: options.warehouse ?? "memory://warehouse",
    namespaces: new Map(),
    tables: new Map(),
    views: new Set((options.views ?? []).map((levels) => keyOf(...levels))),
    ways,
    nowMs,
    ownProperties: options.ownProperties ?? {},
  };
  const access = accessCheck(options.access ?? { kind: "none" }, nowMs);
  const requests: { operation: RestOperation; request: FakeRequest }[] = [];
  const keys = new Map<string, FakeAnswer>();
  let effects = 0;

  const answer = async (request: FakeRequest): Promise<FakeAnswer> => {
    const route = routeOf(request, options);
    if (route === null) throw new Error("The call was named and is not known");
    requests.push({ operation: route.operation, request });
    const token = access.tokenAnswer(request);
    if (token !== null) return token;
    const refusal = route.operation === "GetConfig" && options.hasOpenConfig === true ? null : access.refusal(request);
    if (refusal !== null) return refusal;
    const key = request.headers["idempotency-key"];
    if (key === undefined || options.keyLifetime === undefined) {
      if (key !== undefined) throw new Error("A key was sent to a server that knows none");
      return await run(route, request);
    }
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(key))
      throw new Error(`The key is no uuid of version 7: ${key}`);
    const known = keys.get(key);
    if (known !== undefined) return known;
    const fresh = await run(route, request);
    if (fresh.status < 500) keys.set(key, fresh);
    return fresh;
  };

  const run = async (route: Route, request: FakeRequest): Promise<FakeAnswer> => {
    try {
      if (options.lacks?.includes(route.operation as keyof typeof ENDPOINTS) === true)
        throw new RestRefusal(501, "UnsupportedOperationException", "The server does not support this");
      const done = await carryOut(state, options, route, request);
      if (route.operation === "CommitTable" || route.operation === "CreateTable") effects += 1;
      return done;
    } catch (error) {
      if (error instanceof RestRefusal) return restError(error.status, error.type, error.message);
      throw error;
    }
  };

  const http = await startHttpFake("The fake REST catalog", {
    name: (request): CallName | null => {
      const route = routeOf(request, options);
      return route === null
        ? null
        : { operation: route.operation, target: [...route.namespace, route.name].filter((one) => one !== "").join(".") };
    },
    answer: async (request) => {
      const { headers, ...rest } = await answer(request);
      return { ...rest, headers: { date: new Date(nowMs()).toUTCString(), ...headers } };
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
    ways,
    access,
    effects: () => effects,
    tables: tablesOf(state),
  };
}

async function carryOut(state: RestState, options: RestOptions, route: Route, request: FakeRequest): Promise<FakeAnswer> {
  const { operation, namespace, name } = route;
  const query = new Map(request.query);
  switch (operation) {
    case "GetToken":
      throw new RestRefusal(404, "NotFoundException", "No tokens here");
    case "GetConfig":
      return config(options, query.get("warehouse"));
    case "ListNamespaces":
      return listNamespaces(state, options, query);
    case "CreateNamespace":
      createNamespace(state, (bodyOf(request, operation)["namespace"] as string[]).slice());
      return json(200, { namespace: mapOf(parseBody(request))["namespace"] ?? [], properties: {} });
    case "LoadNamespace":
      requireNamespace(state, namespace);
      return json(200, { namespace: [...namespace], properties: {} });
    case "NamespaceExists":
      requireNamespace(state, namespace);
      return { status: 204 };
    case "ListTables": {
      requireNamespace(state, namespace);
      const own = [...state.tables.values()].filter((table) => keyOf(...table.namespace) === keyOf(...namespace));
      return paged(
        "identifiers",
        own.map((table) => ({ namespace: [...namespace], name: table.name })),
        options,
        query,
      );
    }
    case "CreateTable":
      return tableAnswer(options, route, request, await createTable(state, namespace, bodyOf(request, operation)));
    case "LoadTable": {
      const table = tableOf(state, namespace, name);
      const tag = `"${query.get("snapshots") ?? "all"} ${table.location}"`;
      if (request.headers["if-none-match"] === tag) return { status: 304 };
      return tableAnswer(options, route, request, table, tag);
    }
    case "CommitTable": {
      const body = bodyOf(request, operation);
      const sent = mapOf(body["identifier"] ?? { namespace: [...namespace], name });
      if (keyOf(...(sent["namespace"] as string[]), textOf(sent["name"])) !== keyOf(...namespace, name))
        throw new Error("The identifier in the body is another than the address");
      const done = await commitTable(state, namespace, name, body);
      return json(
        200,
        { "metadata-location": done.location, metadata: done.metadata },
        tagged(options, `"all ${done.location}"`),
      );
    }
    case "LoadCredentials": {
      tableOf(state, namespace, name);
      const gift = options.gift?.(namespace, name, true) ?? {};
      return json(200, { "storage-credentials": credentialsOf(gift) });
    }
    case "LoadView":
    case "ViewExists":
      if (state.views.has(keyOf(...namespace, name))) return operation === "LoadView" ? json(200, {}) : { status: 204 };
      throw new RestRefusal(404, "NoSuchViewException", `View does not exist: ${name}`);
  }
}

function tableAnswer(options: RestOptions, route: Route, request: FakeRequest, answer: Answer, tag?: string): FakeAnswer {
  if (answer.location === null && options.hasStaging === false)
    throw new RestRefusal(406, "UnsupportedOperationException", "stage-create is not supported");
  const isWanted = request.headers["x-iceberg-access-delegation"] === "vended-credentials";
  const name = route.name === "" ? textOf(mapOf(parseBody(request))["name"]) : route.name;
  const gift = options.gift === undefined ? {} : options.gift(route.namespace, name, isWanted);
  if (gift === null) throw new RestRefusal(403, "ForbiddenException", "The principal may not read the files of the table");
  return json(
    200,
    {
      "metadata-location": answer.location,
      metadata: answer.metadata,
      config: { ...gift.config },
      "storage-credentials": credentialsOf(gift),
    },
    tagged(options, tag ?? `"all ${answer.location}"`),
  );
}

function tagged(options: RestOptions, etag: string): Readonly<Record<string, string>> {
  return options.hasTags === false ? {} : { etag };
}

function credentialsOf({ credentials = [] }: TableGift): Json {
  return credentials.map(({ prefix, config: one }) => ({ prefix, config: { ...one } }));
}

function config(options: RestOptions, warehouse: string | undefined): FakeAnswer {
  if (options.named !== undefined && warehouse === undefined)
    throw new RestRefusal(400, "BadRequestException", "Please specify a warehouse");
  if (options.named !== undefined && warehouse !== options.named)
    throw new RestRefusal(404, "NoSuchWarehouseException", `Unable to find warehouse ${warehouse}`);
  const offered = Object.entries(ENDPOINTS).filter(([name]) => options.lacks?.includes(name as keyof typeof ENDPOINTS) !== true);
  return json(200, {
    defaults: { clients: "4", ...options.defaults },
    overrides: {
      ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
      ...(options.separator === undefined ? {} : { "namespace-separator": options.separator }),
      ...options.overrides,
    },
    // As the reference server writes them: two without the slash, one that is no path.
    ...(options.listsCalls === false
      ? {}
      : { endpoints: ["POST v1/oauth/tokens", "POST https://auth-server.com/token", ...offered.map(([, text]) => text)] }),
    ...(options.keyLifetime === undefined ? {} : { "idempotency-key-lifetime": options.keyLifetime }),
  });
}

function listNamespaces(state: RestState, options: RestOptions, query: ReadonlyMap<string, string>): FakeAnswer {
  const parent = query.get("parent");
  const levels =
    parent === undefined || parent === "" ? [] : parent.split(parent.includes("\u001f") ? "\u001f" : plainSeparator(options));
  if (levels.length > 0) requireNamespace(state, levels);
  const below = [...state.namespaces.values()].filter(
    (one) => one.length === levels.length + 1 && keyOf(...one.slice(0, -1)) === keyOf(...levels),
  );
  return paged(
    "namespaces",
    below.map((one) => [...one]),
    options,
    query,
  );
}

function paged(
  member: string,
  items: readonly Json[],
  { pageSize }: RestOptions,
  query: ReadonlyMap<string, string>,
): FakeAnswer {
  const token = query.get("pageToken");
  // Who does not ask for pages gets all at once.
  if (pageSize === undefined || token === undefined) return json(200, { [member]: [...items] });
  const start = token === "" ? 0 : Number(/^page (\d+)$/.exec(token)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw new RestRefusal(400, "BadRequestException", `Not a token: ${token}`);
  const end = start + pageSize;
  return json(200, { [member]: items.slice(start, end), "next-page-token": end < items.length ? `page ${end}` : null });
}

function plainSeparator({ separator = "%1F" }: RestOptions): string {
  return decodeURIComponent(separator);
}

function parseBody(request: FakeRequest): Json {
  if (request.headers["content-type"] !== "application/json") throw new Error("The body is not declared as JSON");
  return parseJson(Buffer.from(request.body).toString("utf8"));
}

function bodyOf(request: FakeRequest, operation: keyof typeof BODIES): JsonMap {
  const body = parseBody(request);
  checkBody(operation, body);
  return mapOf(body);
}

function routeOf(request: FakeRequest, options: RestOptions): Route | null {
  const nowhere = { namespace: [], name: "" };
  const { method, path } = request;
  const tokens = options.access?.kind === "oauth2" ? (options.access.path ?? "/v1/oauth/tokens") : "/v1/oauth/tokens";
  if (method === "POST" && (path === tokens || path === "/v1/oauth/tokens")) return { operation: "GetToken", ...nowhere };
  if (method === "GET" && path === "/v1/config") return { operation: "GetConfig", ...nowhere };
  const start = `/v1${options.prefix === undefined ? "" : `/${options.prefix}`}/`;
  if (!path.startsWith(start)) return null;
  const [top, namespace, kind, name, more, ...rest] = path.slice(start.length).split("/");
  if (top !== "namespaces" || rest.length > 0) return null;
  const place = `${method} ${[namespace && "n", kind, name && "t", more].filter((one) => one !== undefined).join("/")}`;
  const operation = ROUTES[place];
  if (operation === undefined) return null;
  return { operation, namespace: levelsOf(namespace, options), name: decodeURIComponent(name ?? "") };
}

const ROUTES: Readonly<Record<string, RestOperation>> = {
  "GET ": "ListNamespaces",
  "POST ": "CreateNamespace",
  "GET n": "LoadNamespace",
  "HEAD n": "NamespaceExists",
  "GET n/tables": "ListTables",
  "POST n/tables": "CreateTable",
  "GET n/tables/t": "LoadTable",
  "POST n/tables/t": "CommitTable",
  "GET n/tables/t/credentials": "LoadCredentials",
  "GET n/views/t": "LoadView",
  "HEAD n/views/t": "ViewExists",
};

/** Both separators are taken, as the protocol wants. */
function levelsOf(text: string | undefined, { separator = "%1F" }: RestOptions): Namespace {
  if (text === undefined) return [];
  return text.split(text.includes("%1F") ? "%1F" : separator).map(decodeURIComponent);
}

function tablesOf(state: RestState): RestTables {
  const split = (levels: readonly string[]): [Namespace, string] => [levels.slice(0, -1), levels.at(-1) ?? ""];
  return {
    metadata: (...levels) => state.tables.get(keyOf(...levels))?.metadata,
    location: (...levels) => state.tables.get(keyOf(...levels))?.location,
    commit: async (levels, ...updates) => {
      const [namespace, name] = split(levels);
      await commitTable(state, namespace, name, { requirements: [], updates: [...updates] });
    },
    remove: (...levels) => void state.tables.delete(keyOf(...levels)),
    namespace: (...levels) => createNamespace(state, levels),
    register: async (levels, location) => {
      const [namespace, name] = split(levels);
      const metadata = mapOf(parseJson(new TextDecoder().decode(await state.store.read(location))));
      state.tables.set(keyOf(...levels), { namespace, name, metadata, location });
    },
    create: async (levels, request = {}) => {
      const [namespace, name] = split(levels);
      const schema = { type: "struct", "schema-id": 0, fields: [{ id: 1, name: "id", required: false, type: "long" }] };
      await createTable(state, namespace, { name, schema, properties: {}, ...request });
    },
  };
}
