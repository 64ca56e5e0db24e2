// Which properties a file takes over, and that the page tells which it does not.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  DERIVED_KEYS,
  ENGINE_DEFAULTS,
  ENGINE_KEYS,
  ENGINE_PREFIXES,
  KEPT_IN_STEP,
  leftOutKind,
  PLACE_KEYS,
} from "../../src/plan/import-properties.ts";
import { importTable } from "../../src/plan/import-table.ts";
import { field, metadataOf, schemaOf } from "./support.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/table-files.md"), "utf8");
const section = page.slice(page.indexOf("## Importing"), page.indexOf("## Limits"));

describe("properties of an imported table", () => {
  it.each([
    ["write.format.default", "orc", null],
    ["write.parquet.compression-codec", "gzip", null],
    ["write.parquet.compression-codec", "zstd", "engine"],
    ["write.parquet.compression-codec", "ZSTD", "engine"],
    ["gc.enabled", "false", null],
    ["owner", "root", "engine"],
    ["EXTERNAL", "TRUE", "engine"],
    ["impala.events.catalogVersion", "845", "engine"],
    ["option.format-version", "3", "engine"],
    ["schema.name-mapping.default", "[]", "kept-in-step"],
    ["write.data.path", "s3://prod/x", "place"],
    ["floeplan.applied.field-ids", "1-3", "own"],
    ["uuid", "x", "derived"],
    ["s3.secret-access-key", "wJalrXUtnFEMI", "secret"],
    ["note", "postgres://user:hunter2@db/x", "secret"],
    ["", "x", "nameless"],
  ])("%s = %s: left out as %s", (key, value, kind) => {
    expect(leftOutKind(key, value, false)).toBe(kind);
  });

  it("takes over what some file declared before, whoever usually writes it: left out, it would be removed", () => {
    expect(leftOutKind("owner", "root", true)).toBeNull();
    expect(leftOutKind("floeplan.owner", "acme", true)).toBe("own");
    const metadata = metadataOf([schemaOf(field(1, "a", "int"))], {
      properties: {
        owner: "root",
        provider: "x",
        "floeplan.applied.field-ids": "1",
        "floeplan.applied.properties": '{"owner":"root"}',
      },
    });
    const { table } = importTable(metadata, { name: ["ns", "t"], catalog: null, pins: "none" });
    expect([...(table.properties ?? [])]).toEqual([
      ["owner", "root"],
      ["provider", "x"],
    ]);
  });

  it("takes over parameters of the catalog's own entry only where floeplan set them", () => {
    const metadata = metadataOf([schemaOf(field(1, "a", "int"))], {
      properties: {
        "floeplan.applied.field-ids": "1",
        "floeplan.applied.glue-parameters": '{"data_class":"internal","gone":"x"}',
      },
    });
    const parameters = { data_class: "public", classification: "parquet" };
    const { table } = importTable(metadata, { name: ["ns", "t"], catalog: null, pins: "none", parameters });
    expect([...(table.glueParameters ?? [])]).toEqual([["data_class", "public"]]);
  });

  it("are all named in docs/table-files.md where they are left out", () => {
    const keys = [...ENGINE_KEYS, ...Object.keys(ENGINE_DEFAULTS), ...KEPT_IN_STEP, ...PLACE_KEYS, ...DERIVED_KEYS];
    const words = [...keys, ...ENGINE_PREFIXES.map((prefix) => `${prefix}*`)].map((word) => `\`${word}\``);
    expect(words.filter((word) => !section.toLowerCase().includes(word))).toEqual([]);
  });
});
