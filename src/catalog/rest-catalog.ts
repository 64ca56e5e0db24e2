// Tables of an Iceberg REST catalog: the Catalog contract over its parts. Knows who does what; how a catalog is reached and
// signed in to is in rest.ts.
import type { Catalog, CatalogCapabilities } from "./catalog.ts";
import { definitionsOnly, withKnownIds } from "../iceberg/rest-definitions.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { S3Options } from "../storage/s3.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import type { RestAuth } from "./rest-auth.ts";
import type { RestClient } from "./rest-client.ts";
import { commitRestTable } from "./rest-commit.ts";
import type { RestWriter } from "./rest-writer.ts";
import { createRestTable, newRestTableLocation } from "./rest-create.ts";
import { createRestNamespace, listRestTables, restNamespaceExists } from "./rest-namespaces.ts";
import { restSession } from "./rest-session.ts";
import type { RestSettings } from "./rest-settings.ts";
import { restStorage } from "./rest-storage.ts";
import { restTables } from "./rest-tables.ts";

export interface RestCatalogParts {
  readonly settings: RestSettings;
  readonly client: RestClient;
  readonly auth: RestAuth;
  readonly ports: CatalogPorts;
  readonly openS3?: (options: S3Options) => ObjectStore;
}

export function createRestCatalog(parts: RestCatalogParts): Catalog {
  const { settings, client, auth, ports } = parts;
  const label = `${settings.name} (rest ${settings.uri})`;
  const capabilities = capabilitiesOf(settings);
  const newKey = (): string => timedUuid(ports.nowMs(), ports.newUuid());
  const session = restSession({ settings, label, client, auth, newKey });
  const storage = restStorage({
    nowMs: ports.nowMs,
    renew: async (identifier) => {
      const { service, context } = await session();
      if (context.has("credentials")) return await service.credentials(identifier, storage.tokenOf(identifier));
      return (await service.loadTable(identifier)) ?? { config: {}, credentials: [] };
    },
    ...(parts.openS3 === undefined ? {} : { openS3: parts.openS3 }),
  });
  const tables = restTables({ session, storage, label });
  const writer: RestWriter = { session, tables, storage, ports, capabilities, idRule: { isKept: null } };

  return {
    kind: "rest",
    label,
    capabilities,
    writePermissions: ["creating tables and namespaces, and committing", "writing the files of tables"],
    loadTable: async (identifier) => await tables.load(identifier),
    listTables: (namespace) => listRestTables(session, namespace, capabilities.nestedNamespaces),
    namespaceExists: async (namespace) => await restNamespaceExists(session, namespace),
    createNamespace: async (namespace) => await createRestNamespace(session, namespace),
    newTableLocation: async (table) => await newRestTableLocation(writer, table),
    createTable: async (table, commit) => await createRestTable(writer, table, commit),
    commit: async (live, commit) => await commitRestTable(writer, live, commit),
    settleIds: async (live, change) => {
      const first = writer.idRule.isKept === true ? null : definitionsOnly(change, live.metadata);
      if (first === null) return { state: "settled", live, change };
      const outcome = await commitRestTable(writer, live, { ...first, attempt: ports.newUuid() });
      if (outcome.state !== "done") return outcome;
      const known = withKnownIds(change, outcome.live.metadata);
      if (known === null) return { state: "refused", why: "The catalog did not keep the schema that was added to the table" };
      return { state: "settled", live: outcome.live, change: known };
    },
    storeFor: ({ identifier, metadata }) => storage.storeOf(identifier, metadata.location),
  };
}

/** The two services of AWS, by the names that requests to them are signed for. */
function capabilitiesOf({ auth }: RestSettings): CatalogCapabilities {
  const service = auth.kind === "sigv4" ? auth.service : null;
  const isAws = service === "glue" || service === "s3tables";
  return {
    nestedNamespaces: !isAws,
    tableLocation: service !== "s3tables",
    setLocation: service !== "s3tables",
    lowerCaseNames: isAws,
    seenByAthena: isAws,
    serverWritesMetadata: true,
  };
}

/** A version 7 uuid of that time, from the random bits of another. */
function timedUuid(nowMs: number, random: string): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
