// A small table bucket of S3 Tables in memory for fuzzing: the calls of the product, answered right. There is no HTTP, and
// no storage.
import { applyUpdates } from "../../../src/iceberg/apply-update.ts";
import { isWithin } from "../../../src/iceberg/location.ts";
import { writeMetadata } from "../../../src/iceberg/metadata-json.ts";
import { newTableCommit } from "../../conformance/table-commits.ts";
import { s3TablesRequest } from "../../fakes/s3-tables-routes.ts";
import type { Played, SdkRequest } from "./sdk-handler.ts";
import type { Answer } from "./wrong-answer.ts";

export const ARN = "arn:aws:s3tables:us-east-1:011122223333:bucket/lake";
export const TABLES = ["customers", "orders"] as const;

interface StoredTable {
  readonly namespace: string;
  readonly name: string;
  readonly warehouse: string;
  token: number;
  location: string | null;
}

export interface TablesWorld {
  readonly namespaces: Set<string>;
  readonly tables: Map<string, StoredTable>;
}

const warehouseOf = (name: string): string => `s3://${name}--table-s3`;
const metadataOf = (name: string): string => `${warehouseOf(name)}/metadata/00000-0-4-8-0.metadata.json`;

/** The metadata files that the tables begin with. */
export const METADATA: ReadonlyMap<string, Uint8Array> = new Map(
  TABLES.map((name) => {
    const { updates } = newTableCommit(warehouseOf(name), { comment: name });
    const metadata = applyUpdates(null, updates, { nowMs: 1_700_000_000_000, previousMetadataLocation: null });
    return [metadataOf(name), writeMetadata(metadata)];
  }),
);

export function tablesWorld(): TablesWorld {
  const world: TablesWorld = { namespaces: new Set(["sales"]), tables: new Map() };
  for (const name of TABLES) addTable(world, "sales", name, metadataOf(name));
  return world;
}

function addTable({ tables }: TablesWorld, namespace: string, name: string, location: string | null): StoredTable {
  const table = { namespace, name, warehouse: warehouseOf(name), token: 100 + tables.size, location };
  tables.set(`${namespace}.${name}`, table);
  return table;
}

class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.answer = json(status, { message }, { "x-amzn-errortype": code });
  }
}

export function playTables(world: TablesWorld, { method, path, query, headers }: SdkRequest, sent: string): Played {
  const asked = s3TablesRequest({ method, path, query: Object.entries(query), headers, body: Buffer.from(sent) });
  if (asked === null) throw new Error(`No call of S3 Tables: ${method} ${path}`);
  const { operation, members, body } = asked;
  return {
    operation,
    answer: () => {
      try {
        return json(200, run(world, operation, { ...members, ...body }));
      } catch (error) {
        if (error instanceof Refusal) return error.answer;
        throw error;
      }
    },
  };
}

function run(world: TablesWorld, operation: string, input: Readonly<Record<string, unknown>>): object {
  const { namespace, name } = input;
  switch (operation) {
    case "ListNamespaces":
      return { namespaces: [...world.namespaces].map((one) => ({ namespace: [one], createdBy: "011122223333" })) };
    case "GetNamespace":
      return { namespace: [requireNamespace(world, namespace)], createdBy: "011122223333" };
    case "CreateNamespace": {
      const [first] = Array.isArray(namespace) ? (namespace as readonly unknown[]) : [];
      if (world.namespaces.has(String(first))) throw new Refusal(409, "ConflictException", "It exists already.");
      world.namespaces.add(String(first));
      return { tableBucketARN: ARN, namespace: [first] };
    }
    case "CreateTable": {
      const key = `${requireNamespace(world, namespace)}.${String(name)}`;
      if (world.tables.has(key)) throw new Refusal(409, "ConflictException", "A table with that name already exists.");
      const { token } = addTable(world, String(namespace), String(name), null);
      return { tableARN: `${ARN}/table/${key}`, versionToken: String(token) };
    }
    case "ListTables":
      return {
        tables: [...world.tables.values()].map((one) => ({ namespace: [one.namespace], name: one.name, type: "customer" })),
      };
    case "GetTableMetadataLocation":
      return pointer(requireTable(world, namespace, name));
    case "UpdateTableMetadataLocation": {
      const table = requireTable(world, namespace, name);
      const location = String(input["metadataLocation"]);
      if (!isWithin(table.warehouse, location)) throw new Refusal(400, "BadRequestException", "The location is not valid.");
      if (input["versionToken"] !== String(table.token)) throw new Refusal(409, "ConflictException", "The token is not valid.");
      table.token++;
      table.location = location;
      return { name, namespace: [namespace], tableARN: ARN, ...pointer(table) };
    }
    default:
      throw new Error(`Not played: ${operation}`);
  }
}

function pointer({ token, location, warehouse }: StoredTable): object {
  return {
    versionToken: String(token),
    ...(location === null ? {} : { metadataLocation: location }),
    warehouseLocation: warehouse,
  };
}

function requireNamespace({ namespaces }: TablesWorld, namespace: unknown): string {
  if (typeof namespace === "string" && namespaces.has(namespace)) return namespace;
  throw new Refusal(404, "NotFoundException", "The specified namespace does not exist.");
}

function requireTable({ tables }: TablesWorld, namespace: unknown, name: unknown): StoredTable {
  const table = tables.get(`${String(namespace)}.${String(name)}`);
  if (table !== undefined) return table;
  throw new Refusal(404, "NotFoundException", "The specified table does not exist.");
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json", date: "Mon, 30 Nov 2026 17:00:00 GMT", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}
