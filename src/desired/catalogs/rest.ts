// An Iceberg REST catalog in the project file: its address and how one signs in. Secrets are never in the file.
import type { Place } from "../../diagnostics/diagnostic.ts";
import { type Reading, report } from "../reading.ts";
import { findValue, type YamlNode } from "../yaml/tree.ts";
import { type CatalogKind, textAt } from "./catalog-kind.ts";

const AUTHS = ["none", "bearer", "oauth2", "sigv4"] as const;

export interface RestConfig {
  readonly type: "rest";
  readonly uri: string;
  readonly warehouse: string | null;
  readonly prefix: string | null;
  readonly auth: (typeof AUTHS)[number];
  readonly signingName: string | null;
  readonly region: string | null;
  readonly scope: string | null;
  readonly place: Place;
}

export const REST: CatalogKind<RestConfig> = {
  type: "rest",
  placesTables: null,
  read: ({ reading, map, place }) => {
    const uri = textAt(map, "uri");
    if (uri === null) return null;
    refuseSecretInUri(reading, findValue(map, "uri"), uri);
    return {
      type: "rest",
      uri,
      warehouse: textAt(map, "warehouse"),
      prefix: textAt(map, "prefix"),
      auth: AUTHS.find((auth) => auth === textAt(map, "auth")) ?? "none",
      signingName: textAt(map, "signing-name"),
      region: textAt(map, "region"),
      scope: textAt(map, "scope"),
      place,
    };
  },
};

function refuseSecretInUri(reading: Reading, node: YamlNode | undefined, uri: string): void {
  if (node === undefined || !/^[a-z]+:\/\/[^/\s]*@/i.test(uri)) return;
  report(reading, "secret-in-file", node, {
    what: "Cannot take a user name or password from the address of a catalog: a secret has no place in a file",
    why: "Everyone who reads the repository could use it",
    mend: "Remove what stands before the @, and set FLOEPLAN_REST_TOKEN_<CATALOG> or FLOEPLAN_REST_CREDENTIAL_<CATALOG>",
  });
}
