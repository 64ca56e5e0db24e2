// The catalogs of one environment. Secrets are never in the file; what a catalog does with its settings is its own
// business.
import { resolve } from "node:path";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { CatalogConfig } from "../project-config.ts";
import { placeIn, type Reading, report, textOf } from "../reading.ts";
import { quoted } from "../words.ts";
import { findValue, type MapNode, type YamlNode } from "../yaml/tree.ts";

const AUTHS = ["none", "bearer", "oauth2", "sigv4"] as const;

/** By logical name. What cannot be read is left out; the schema's findings tell why. */
export function readCatalogs(reading: Reading, node: YamlNode | undefined, root: string): ReadonlyMap<string, CatalogConfig> {
  const catalogs = new Map<string, CatalogConfig>();
  if (node?.kind !== "map") return catalogs;
  for (const { key, value } of node.entries) {
    if (value.kind !== "map") continue;
    const catalog = readCatalog(reading, value, placeIn(reading, key), root);
    if (catalog !== null) catalogs.set(key.text, catalog);
  }
  return catalogs;
}

function readCatalog(reading: Reading, map: MapNode, place: Place, root: string): CatalogConfig | null {
  const text = (key: string): string | null => textOf(findValue(map, key)) ?? null;
  switch (text("type")) {
    case "local": {
      const warehouse = text("warehouse");
      return warehouse === null ? null : { type: "local", warehouse: resolve(root, warehouse), place };
    }
    case "glue":
      return { type: "glue", region: text("region"), account: readAccount(reading, findValue(map, "account")), place };
    case "s3-tables": {
      const bucket = text("bucket");
      return bucket === null ? null : { type: "s3-tables", bucket, place };
    }
    case "rest":
      return readRest(reading, map, place);
    default:
      return null;
  }
}

function readRest(reading: Reading, map: MapNode, place: Place): CatalogConfig | null {
  const text = (key: string): string | null => textOf(findValue(map, key)) ?? null;
  const uri = text("uri");
  if (uri === null) return null;
  refuseSecretInUri(reading, findValue(map, "uri"), uri);
  return {
    type: "rest",
    uri,
    warehouse: text("warehouse"),
    prefix: text("prefix"),
    auth: AUTHS.find((auth) => auth === text("auth")) ?? "none",
    signingName: text("signing-name"),
    region: text("region"),
    scope: text("scope"),
    place,
  };
}

function refuseSecretInUri(reading: Reading, node: YamlNode | undefined, uri: string): void {
  if (node === undefined || !/^[a-z]+:\/\/[^/\s]*@/i.test(uri)) return;
  report(reading, "secret-in-file", node, {
    what: "Cannot take a user name or password from the address of a catalog: a secret has no place in a file",
    why: "Everyone who reads the repository could use it",
    mend: "Remove what stands before the @, and set FLOEPLAN_REST_TOKEN_<CATALOG> or FLOEPLAN_REST_CREDENTIAL_<CATALOG>",
  });
}

/** Twelve digits as written: a plain number keeps its leading zero here. */
function readAccount(reading: Reading, node: YamlNode | undefined): string | null {
  const text = textOf(node);
  if (node === undefined || text === undefined) return null;
  if (/^[0-9]{12}$/.test(text)) return text;
  report(reading, "value-malformed", node, {
    what: `Cannot use ${quoted(text)} as an account`,
    why: "An AWS account id has twelve digits",
    ...(/^[0-9]{1,11}$/.test(text) ? { mend: `Write "${text.padStart(12, "0")}" if leading zeros are missing` } : {}),
  });
  return null;
}
