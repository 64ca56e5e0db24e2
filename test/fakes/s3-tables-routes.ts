// Which operation of S3 Tables a request is, and its members: from the path, the query and the JSON body, as the API model
// of the AWS SDKs says. Anything else is no operation; a member that the model does not have fails the test.
import type { FakeRequest } from "./http-fake.ts";

/** What the catalog of the product may call; and renaming and reading a table, which others do. Deleting is not among them. */
export type S3TablesOperation =
  | "CreateNamespace"
  | "GetNamespace"
  | "ListNamespaces"
  | "CreateTable"
  | "GetTable"
  | "ListTables"
  | "GetTableMetadataLocation"
  | "UpdateTableMetadataLocation"
  | "RenameTable";

interface Route {
  readonly method: "GET" | "PUT";
  /** Segments after the first slash; `{…}` is a member. */
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: readonly string[];
}

const ROUTES: Readonly<Record<S3TablesOperation, Route>> = {
  CreateNamespace: { method: "PUT", path: "namespaces/{arn}", body: ["namespace"] },
  GetNamespace: { method: "GET", path: "namespaces/{arn}/{namespace}" },
  ListNamespaces: { method: "GET", path: "namespaces/{arn}", query: ["prefix", "continuationToken", "maxNamespaces"] },
  CreateTable: { method: "PUT", path: "tables/{arn}/{namespace}", body: ["name", "format", "metadata"] },
  GetTable: { method: "GET", path: "get-table", query: ["tableBucketARN", "namespace", "name", "tableArn"] },
  ListTables: { method: "GET", path: "tables/{arn}", query: ["namespace", "prefix", "continuationToken", "maxTables"] },
  GetTableMetadataLocation: { method: "GET", path: "tables/{arn}/{namespace}/{name}/metadata-location" },
  UpdateTableMetadataLocation: {
    method: "PUT",
    path: "tables/{arn}/{namespace}/{name}/metadata-location",
    body: ["versionToken", "metadataLocation"],
  },
  RenameTable: {
    method: "PUT",
    path: "tables/{arn}/{namespace}/{name}/rename",
    body: ["newNamespaceName", "newName", "versionToken"],
  },
};

export interface S3TablesRequest {
  readonly operation: S3TablesOperation;
  /** Of the path and the query, decoded. */
  readonly members: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export function s3TablesRequest(request: FakeRequest): S3TablesRequest | null {
  for (const [operation, route] of Object.entries(ROUTES) as [S3TablesOperation, Route][]) {
    const inPath = request.method === route.method ? pathMembers(route.path, request.path) : null;
    if (inPath === null) continue;
    const query = Object.fromEntries(request.query);
    const body = bodyOf(request);
    const strange = [
      ...Object.keys(query).filter((name) => !(route.query ?? []).includes(name)),
      ...Object.keys(body).filter((name) => !(route.body ?? []).includes(name)),
    ];
    if (strange.length > 0) throw new Error(`${operation} has no member ${strange.join(", ")}, or the fake does not play it`);
    return { operation, members: { ...inPath, ...query }, body };
  }
  return null;
}

function pathMembers(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split("/"), path.slice(1).split("/")];
  if (wanted.length !== given.length) return null;
  const members: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = decodeURIComponent(given[index] ?? "");
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && segment !== part) return null;
    if (name !== undefined) members[name] = segment;
  }
  return members;
}

function bodyOf(request: FakeRequest): Record<string, unknown> {
  if (request.body.length === 0) return {};
  return JSON.parse(Buffer.from(request.body).toString("utf8")) as Record<string, unknown>;
}
