// The kinds of catalogs that a project file may name: one kind is one file and one line here. Its client is a file of the
// same name in catalog/.
import type { CatalogKind } from "./catalog-kind.ts";
import { GLUE, type GlueConfig } from "./glue.ts";
import { LOCAL, type LocalConfig } from "./local.ts";
import { REST, type RestConfig } from "./rest.ts";
import { S3_TABLES, type S3TablesConfig } from "./s3-tables.ts";

export type CatalogConfig = GlueConfig | LocalConfig | RestConfig | S3TablesConfig;

const KINDS: readonly CatalogKind<CatalogConfig>[] = [GLUE, LOCAL, REST, S3_TABLES];

/** Undefined for a word that is no kind. */
export function catalogKind(type: string | null): CatalogKind<CatalogConfig> | undefined {
  return KINDS.find((kind) => kind.type === type);
}
