// What a REST catalog says of itself at the beginning, merged with what the project file says: where its calls are, how
// namespaces are written, and which calls it has. Sends nothing.
import type { CatalogConfig, RestProperties } from "../iceberg/rest-answers.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { RestSettings } from "./rest-settings.ts";

/** The calls that floeplan makes, as the protocol spells them. */
export const ENDPOINTS = {
  listNamespaces: "GET /v1/{prefix}/namespaces",
  createNamespace: "POST /v1/{prefix}/namespaces",
  loadNamespace: "GET /v1/{prefix}/namespaces/{namespace}",
  namespaceExists: "HEAD /v1/{prefix}/namespaces/{namespace}",
  listTables: "GET /v1/{prefix}/namespaces/{namespace}/tables",
  createTable: "POST /v1/{prefix}/namespaces/{namespace}/tables",
  loadTable: "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}",
  commit: "POST /v1/{prefix}/namespaces/{namespace}/tables/{table}",
  credentials: "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials",
  loadView: "GET /v1/{prefix}/namespaces/{namespace}/views/{view}",
  viewExists: "HEAD /v1/{prefix}/namespaces/{namespace}/views/{view}",
} as const;

export type EndpointName = keyof typeof ENDPOINTS;

/** What a server without a list has (REST spec, getConfig). */
const DEFAULT: ReadonlySet<EndpointName> = new Set([
  "listNamespaces",
  "createNamespace",
  "loadNamespace",
  "listTables",
  "createTable",
  "loadTable",
  "commit",
]);

export interface RestContext {
  readonly properties: RestProperties;
  /** Without a slash at the end. */
  readonly base: string;
  /** Between `/v1` and what follows: empty, or with a slash before it. */
  readonly prefix: string;
  /** As it stands in a path. */
  readonly separator: string;
  /** Are keys known for so long that a call may be sent again by its key? */
  readonly hasKeys: boolean;
  has(endpoint: EndpointName): boolean;
}

/** The unit separator, which every server must take. */
const UNIT_SEPARATOR = "%1F";
/** All tries of one call end within this. */
const KEY_NEEDED_MS = 5 * 60_000;

export function restContext(config: CatalogConfig, settings: RestSettings): RestContext {
  const own: RestProperties = {
    uri: settings.uri,
    ...(settings.warehouse === null ? {} : { warehouse: settings.warehouse }),
    ...(settings.prefix === null ? {} : { prefix: settings.prefix }),
  };
  const properties = { ...config.defaults, ...own, ...config.overrides };
  const prefix = stripTrailingSlashes((properties["prefix"] ?? "").replace(/^\/+/, ""));
  const endpoints = config.endpoints === null ? null : new Set(config.endpoints.map(endpointKey));
  return {
    properties,
    base: trustedBase(properties["uri"] ?? settings.uri, settings),
    prefix: prefix === "" ? "" : `/${prefix}`,
    separator: separatorOf(properties["namespace-separator"]),
    hasKeys: (config.idempotencyKeyMs ?? 0) >= KEY_NEEDED_MS,
    has: (endpoint) => (endpoints === null ? DEFAULT.has(endpoint) : endpoints.has(endpointKey(ENDPOINTS[endpoint]))),
  };
}

/** Servers leave out the first slash, and the prefix where they have none. */
function endpointKey(text: string): string {
  const [method = "", path = ""] = text.trim().split(/\s+/);
  return `${method.toUpperCase()} ${path.replace(/^\/?/, "/").replace("/{prefix}", "")}`;
}

/** A server may name another address for its calls, but none that is less safe. */
function trustedBase(named: string, { name, uri }: RestSettings): string {
  const isSafe = URL.canParse(named) && (named.startsWith("https:") || (named.startsWith("http:") && uri.startsWith("http:")));
  if (isSafe) return stripTrailingSlashes(named);
  throw new ToolError("config", `Cannot open the catalog "${name}"`, {
    why: `Its settings send calls to "${named}", which is no encrypted address as "${uri}" is`,
    mend: "Have the catalog name an https address in its override `uri`",
  });
}

function separatorOf(text: string | undefined): string {
  if (text === undefined || text === "") return UNIT_SEPARATOR;
  return /^(?:[\w.~-]|%[0-9A-Fa-f]{2})+$/.test(text) && isDecodable(text) ? text : encoded(text);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** All but unreserved characters, so that every reader of the path reads the same. */
export function encoded(text: string): string {
  if (/\p{Surrogate}/u.test(text))
    throw new ToolError("refused", `Cannot write ${JSON.stringify(text)} in the address of a call to a REST catalog`, {
      why: "It is no valid text (half a surrogate pair)",
    });
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A name in a path. There is no way to write a name that means "here" or "up" to every reader. */
function segment(name: string): string {
  if (name !== "" && name !== "." && name !== "..") return encoded(name);
  throw new ToolError("refused", `Cannot use ${JSON.stringify(name)} as a name in a REST catalog`, {
    why: "Names stand in the path of an address, where this one has another meaning",
    mend: "Give it another name",
  });
}

export function namespacePath({ base, prefix, separator }: RestContext, namespace: readonly string[]): string {
  const plain = decodeURIComponent(separator);
  const between = namespace.some((level) => level.includes(plain)) ? UNIT_SEPARATOR : separator;
  return `${base}/v1${prefix}/namespaces/${namespace.map(segment).join(between)}`;
}

export function namespacesPath({ base, prefix }: RestContext): string {
  return `${base}/v1${prefix}/namespaces`;
}

export function tablePath(
  context: RestContext,
  { namespace, name }: { readonly namespace: readonly string[]; readonly name: string },
): string {
  return `${namespacePath(context, namespace)}/tables/${segment(name)}`;
}

export function viewPath(
  context: RestContext,
  { namespace, name }: { readonly namespace: readonly string[]; readonly name: string },
): string {
  return `${namespacePath(context, namespace)}/views/${segment(name)}`;
}

/** A namespace as a value in the query. */
export function parentQuery({ separator }: RestContext, namespace: readonly string[]): string {
  const plain = decodeURIComponent(separator);
  const between = namespace.some((level) => level.includes(plain)) ? "\u001f" : plain;
  return encoded(namespace.join(between));
}
