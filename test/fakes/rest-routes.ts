// Which call of the REST protocol a request to the fake is, by its method and path, as the protocol's OpenAPI document has
// them. Knows no state.
import type { FakeRequest } from "./http-fake.ts";
import type { Namespace } from "./rest-state.ts";

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

export interface Route {
  readonly operation: RestOperation;
  readonly namespace: Namespace;
  readonly name: string;
}

/** What of a server's settings has to do with addresses. */
export interface RoutePlan {
  readonly prefix?: string;
  /** As it stands in addresses. */
  readonly separator?: string;
  /** Where tokens are given, beside the catalog's own place for them. */
  readonly tokenPath: string;
}

export function routeOf(request: FakeRequest, plan: RoutePlan): Route | null {
  const nowhere = { namespace: [], name: "" };
  const { method, path } = request;
  if (method === "POST" && (path === plan.tokenPath || path === "/v1/oauth/tokens")) return { operation: "GetToken", ...nowhere };
  if (method === "GET" && path === "/v1/config") return { operation: "GetConfig", ...nowhere };
  const start = `/v1${plan.prefix === undefined ? "" : `/${plan.prefix}`}/`;
  if (!path.startsWith(start)) return null;
  const [top, namespace, kind, name, more, ...rest] = path.slice(start.length).split("/");
  if (top !== "namespaces" || rest.length > 0) return null;
  const place = `${method} ${[namespace && "n", kind, name && "t", more].filter((one) => one !== undefined).join("/")}`;
  const operation = ROUTES[place];
  if (operation === undefined) return null;
  return { operation, namespace: levelsOf(namespace, plan), name: decodeURIComponent(name ?? "") };
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
function levelsOf(text: string | undefined, { separator = "%1F" }: RoutePlan): Namespace {
  if (text === undefined) return [];
  return text.split(text.includes("%1F") ? "%1F" : separator).map(decodeURIComponent);
}
