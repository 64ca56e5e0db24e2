// The calls of the fake REST catalog, carried out on its state: settings, pages, tables with what comes with them. Knows no
// connection and not who may call.
import type { ObjectStore } from "../../src/storage/object-store.ts";
import type { FakeAnswer, FakeRequest } from "./http-fake.ts";
import { type FakeAccess, json } from "./rest-access.ts";
import { type Json, type JsonMap, mapOf, parseJson, textOf } from "./rest-json.ts";
import { ENDPOINTS, type Route } from "./rest-routes.ts";
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
import { RestRefusal, type RestWays } from "./rest-ways.ts";

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

export async function carryOut(state: RestState, options: RestOptions, route: Route, request: FakeRequest): Promise<FakeAnswer> {
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

function parseBody(request: FakeRequest): Json {
  if (request.headers["content-type"] !== "application/json") throw new Error("The body is not declared as JSON");
  return parseJson(Buffer.from(request.body).toString("utf8"));
}

function bodyOf(request: FakeRequest, operation: keyof typeof BODIES): JsonMap {
  const body = parseBody(request);
  checkBody(operation, body);
  return mapOf(body);
}

function plainSeparator({ separator = "%1F" }: RestOptions): string {
  return decodeURIComponent(separator);
}
