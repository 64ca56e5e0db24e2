// AWS Glue in the project file: a region and an account, both of the environment where the file is silent.
import type { Place } from "../../diagnostics/diagnostic.ts";
import { type Reading, report, textOf } from "../reading.ts";
import { quoted } from "../words.ts";
import { findValue, type YamlNode } from "../yaml/tree.ts";
import { type CatalogKind, textAt } from "./catalog-kind.ts";

export interface GlueConfig {
  readonly type: "glue";
  readonly region: string | null;
  /** Twelve digits. */
  readonly account: string | null;
  readonly place: Place;
}

export const GLUE: CatalogKind<GlueConfig> = {
  type: "glue",
  placesTables: null,
  read: ({ reading, map, place }) => ({
    type: "glue",
    region: textAt(map, "region"),
    account: readAccount(reading, findValue(map, "account")),
    place,
  }),
};

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
