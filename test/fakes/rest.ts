// A strict Iceberg REST catalog in this process, over real HTTP: settings with a prefix, pages, namespaces in levels,
// requirements and updates carried out on the server, keys that are known again, ways to sign in, tags of states. What it
// does not know, and bodies that the protocol does not have, fail the test. `const rest = await startRest({ store })`.
import { type CallName, type FakeAnswer, type FakeRequest, type HttpFake, startHttpFake } from "./http-fake.ts";
import { type AccessCheck, accessCheck, restError } from "./rest-access.ts";
import { carryOut, type RestOptions } from "./rest-calls.ts";
import { type Json, type JsonMap, mapOf, parseJson } from "./rest-json.ts";
import { type ENDPOINTS, type RestOperation, type Route, routeOf } from "./rest-routes.ts";
import { commitTable, createNamespace, createTable, keyOf, type Namespace, type RestState } from "./rest-state.ts";
import { RestRefusal, type RestWays } from "./rest-ways.ts";

export type { RestOptions, TableGift } from "./rest-calls.ts";
export { restError } from "./rest-access.ts";

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
  const routes = {
    ...options,
    tokenPath: (options.access?.kind === "oauth2" ? options.access.path : undefined) ?? "/v1/oauth/tokens",
  };
  const requests: { operation: RestOperation; request: FakeRequest }[] = [];
  const keys = new Map<string, FakeAnswer>();
  let effects = 0;

  const answer = async (request: FakeRequest): Promise<FakeAnswer> => {
    const route = routeOf(request, routes);
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
      const route = routeOf(request, routes);
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
