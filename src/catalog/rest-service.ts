// The calls of a REST catalog, one a function: addresses, bodies, what is read of the answers, and which of them may be
// sent again. Knows nothing of what they are for.
import { formatPath } from "../iceberg/field-path.ts";
import type { TableCommit } from "../iceberg/commit.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import {
  type CatalogConfig,
  type NamePage,
  readCatalogConfig,
  readNamespacePage,
  readNamespaceProperties,
  readTablePage,
  type RestProperties,
} from "../iceberg/rest-answers.ts";
import {
  commitRequest,
  type CreationRequest,
  creationRequest,
  namespaceRequest,
  stagingRequest,
} from "../iceberg/rest-requests.ts";
import {
  readMetadataLocation,
  readStagedLocation,
  readTableAccess,
  readTableAnswer,
  type TableAccess,
  type TableAnswer,
} from "../iceberg/rest-table.ts";
import type { RestCall, RestClient } from "./rest-client.ts";
import { encoded, namespacePath, namespacesPath, parentQuery, type RestContext, tablePath, viewPath } from "./rest-config.ts";
import { RestError } from "./rest-error.ts";
import type { HttpAnswer } from "./rest-http.ts";

export interface LoadedTable extends TableAnswer {
  /** By which the server tells whether the table is as it was; null: it has none. */
  readonly etag: string | null;
}

export interface RestService {
  /** Null when there is none. */
  loadTable(identifier: TableIdentifier): Promise<LoadedTable | null>;
  /** Where the metadata file is now; null when there is no table. `etag` as it was read with `location`. */
  currentLocation(identifier: TableIdentifier, location: string, etag: string | null): Promise<string | null>;
  /** The new state, or a RestError. */
  commit(identifier: TableIdentifier, commit: TableCommit, token: string | null): Promise<LoadedTable>;
  createTable(identifier: TableIdentifier, request: CreationRequest): Promise<LoadedTable>;
  /** Where the server would put a table; null where it does not say. */
  stagedLocation(identifier: TableIdentifier): Promise<string | null>;
  credentials(identifier: TableIdentifier, token: string | null): Promise<TableAccess>;
  viewExists(identifier: TableIdentifier): Promise<boolean>;
  namespaceExists(namespace: readonly string[]): Promise<boolean>;
  namespaceProperties(namespace: readonly string[]): Promise<RestProperties | null>;
  createNamespace(namespace: readonly string[]): Promise<void>;
  namespaces(parent: readonly string[], page: string): Promise<NamePage<readonly string[]> | null>;
  tables(namespace: readonly string[], page: string): Promise<NamePage<TableIdentifier> | null>;
}

export interface ServiceParts {
  readonly client: RestClient;
  readonly context: RestContext;
  /** What a person calls the catalog. */
  readonly label: string;
  /** A key that the server knows a call by, a version 7 uuid. */
  readonly newKey: () => string;
}

const DELEGATION = { "x-iceberg-access-delegation": "vended-credentials" };

export async function fetchConfig(client: RestClient, what: string, url: string): Promise<CatalogConfig> {
  const call: RestCall = { what, method: "GET", url, repeats: "always" };
  return await client.read(call, ({ body }) => readCatalogConfig(body));
}

export function restService({ client, context, label, newKey }: ServiceParts): RestService {
  const own = ownHeaders(context.properties);
  const get = (what: string, url: string, headers = {}): RestCall => ({
    what: `${what} in ${label}`,
    method: "GET",
    url,
    headers: { ...own, ...headers },
    repeats: "always",
  });
  const post = (what: string, url: string, body: NonNullable<RestCall["body"]>, headers = {}): RestCall => ({
    what: `${what} in ${label}`,
    method: "POST",
    url,
    body,
    headers: { ...own, ...headers, ...(context.hasKeys ? { "idempotency-key": newKey() } : {}) },
    repeats: context.hasKeys ? "always" : "unless-unclear",
  });
  const exists = async (what: string, url: string, hasHead: boolean): Promise<boolean> => {
    const call = { ...get(what, url), method: hasHead ? ("HEAD" as const) : ("GET" as const) };
    return (await orNull(client.send(call))) !== null;
  };

  return {
    loadTable: async (identifier) => {
      const url = `${tablePath(context, identifier)}?snapshots=all`;
      const load = async (headers: Readonly<Record<string, string>>): Promise<LoadedTable | null> =>
        await orNull(client.read(get(`Cannot load "${nameOf(identifier)}"`, url, headers), loadedTable));
      try {
        return await load(DELEGATION);
      } catch (error) {
        // The right to see a table is one, the right to keys of its files another.
        if (!(error instanceof RestError) || error.status !== 403) throw error;
        return await load({});
      }
    },
    currentLocation: async (identifier, location, etag) => {
      const call = get(
        `Cannot look at "${nameOf(identifier)}"`,
        `${tablePath(context, identifier)}?snapshots=${etag === null ? "refs" : "all"}`,
        etag === null ? {} : { "if-none-match": etag },
      );
      return await orNull(
        client.read({ ...call, alsoGood: [304] }, ({ status, body }) => (status === 304 ? location : readMetadataLocation(body))),
      );
    },
    commit: async (identifier, commit, token) =>
      await client.read(
        {
          ...post(`Cannot commit "${nameOf(identifier)}"`, tablePath(context, identifier), commitRequest(identifier, commit)),
          token,
        },
        loadedTable,
      ),
    createTable: async (identifier, request) =>
      await client.read(
        post(
          `Cannot create "${nameOf(identifier)}"`,
          `${namespacePath(context, identifier.namespace)}/tables`,
          creationRequest(request),
          DELEGATION,
        ),
        loadedTable,
      ),
    stagedLocation: async (identifier) => {
      const url = `${namespacePath(context, identifier.namespace)}/tables`;
      const call = post(`Cannot choose a place for "${nameOf(identifier)}"`, url, stagingRequest(identifier.name));
      // It makes nothing.
      return await client.read({ ...call, repeats: "always" }, ({ body }) => readStagedLocation(body));
    },
    credentials: async (identifier, token) =>
      await client.read(
        {
          ...get(`Cannot get new keys for the files of "${nameOf(identifier)}"`, `${tablePath(context, identifier)}/credentials`),
          token,
        },
        ({ body }) => readTableAccess(body),
      ),
    viewExists: async (identifier) =>
      await exists(`Cannot look for "${nameOf(identifier)}"`, viewPath(context, identifier), context.has("viewExists")),
    namespaceExists: async (namespace) =>
      await exists(
        `Cannot look for the namespace "${formatPath(namespace)}"`,
        namespacePath(context, namespace),
        context.has("namespaceExists"),
      ),
    namespaceProperties: async (namespace) =>
      await orNull(
        client.read(get(`Cannot read the namespace "${formatPath(namespace)}"`, namespacePath(context, namespace)), ({ body }) =>
          readNamespaceProperties(body),
        ),
      ),
    createNamespace: async (namespace) => {
      const what = `Cannot create the namespace "${formatPath(namespace)}"`;
      await client.read(post(what, namespacesPath(context), namespaceRequest(namespace)), ({ body }) =>
        readNamespaceProperties(body),
      );
    },
    namespaces: async (parent, page) => {
      const below = parent.length === 0 ? "" : `&parent=${parentQuery(context, parent)}`;
      const url = `${namespacesPath(context)}?pageToken=${encoded(page)}${below}`;
      return await orNull(client.read(get("Cannot list the namespaces", url), ({ body }) => readNamespacePage(body)));
    },
    tables: async (namespace, page) => {
      const url = `${namespacePath(context, namespace)}/tables?pageToken=${encoded(page)}`;
      const what = `Cannot list the tables of "${formatPath(namespace)}"`;
      return await orNull(client.read(get(what, url), ({ body }) => readTablePage(body)));
    },
  };
}

function loadedTable(answer: HttpAnswer): LoadedTable {
  return { ...readTableAnswer(answer.body), etag: answer.header("etag") };
}

/** Null where the catalog says that it is not there; an answer that is no catalog's is an error. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof RestError && error.kind === "not-found" && !isOfFile(error)) return null;
    throw error;
  }
}

/** By this name Java says that a file is missing, and others that a table is. */
function isOfFile({ type, why = "" }: RestError): boolean {
  return type === "NotFoundException" && /\b(?:file|location|object|key)\b/i.test(why);
}

/** Headers that the catalog asks for with every call; those that are ours stay ours. */
function ownHeaders(properties: RestProperties): Readonly<Record<string, string>> {
  const entries = Object.entries(properties).flatMap(([key, value]) => {
    const name = /^header\.([\w-]+)$/.exec(key)?.[1]?.toLowerCase();
    const isOurs = name === undefined || OURS.has(name) || !/^[\u0020-\u007e]*$/.test(value);
    return isOurs ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

const OURS: ReadonlySet<string> = new Set([
  "accept",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "idempotency-key",
  "if-none-match",
  "transfer-encoding",
  "user-agent",
  "x-iceberg-access-delegation",
]);

function nameOf({ namespace, name }: TableIdentifier): string {
  return formatPath([...namespace, name]);
}
