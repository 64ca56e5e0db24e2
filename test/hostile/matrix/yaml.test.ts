// Table files that are written from live tables: read back by an independent reader, as YAML 1.2 and as YAML 1.1, and by our
// own, every name, comment and property is what it was.
import { expect, it } from "vitest";
import { parse } from "yaml";
import { writeTableYaml } from "../../../src/desired/write-yaml.ts";
import { importTable } from "../../../src/plan/import-table.ts";
import { declared } from "../../desired/support.ts";
import { field, metadataOf, schemaOf } from "../../plan/support.ts";
import { TEXTS } from "./cells.ts";
import { yamlText } from "./sources.ts";

/** What YAML cannot hold is refused by the importer's proof; those with a secret are left out with a word. */
const SAYABLE = TEXTS.filter((text) => text !== "" && yamlText(text) !== null);

interface Written {
  readonly table: readonly string[] | string;
  readonly comment: string;
  readonly columns: readonly { readonly name: string; readonly comment: string }[];
  readonly properties: Readonly<Record<string, string>>;
}

const properties = Object.fromEntries(SAYABLE.map((text, at) => [`note.${at}`, text]));
const metadata = metadataOf([schemaOf(...SAYABLE.map((text, at) => field(at + 1, text, "string", { doc: text })))], {
  properties: { ...properties, comment: SAYABLE.join("\n") },
});
const yaml = writeTableYaml(importTable(metadata, { name: ["ns", "t"], catalog: null, pins: "none" }).table);

it.each(["1.2", "1.1"] as const)("comes back letter by letter as YAML %s", (version) => {
  const read = parse(yaml, { version, maxAliasCount: 0, uniqueKeys: true }) as Written;
  expect(read.columns.map(({ name }) => name)).toEqual(SAYABLE);
  expect(read.columns.map(({ comment }) => comment)).toEqual(SAYABLE);
  expect(read.comment).toBe(SAYABLE.join("\n"));
  const kept = Object.entries(read.properties).map(([key, value]) => [key, value]);
  expect(kept.length).toBeGreaterThan(SAYABLE.length - 10);
  expect(kept).toEqual(kept.map(([key = ""]) => [key, properties[key]]));
});

it("comes back letter by letter to us", () => {
  const { columns, comment } = declared(yaml);
  expect(columns.map((one) => ("name" in one ? [one.name, one.comment?.value] : []))).toEqual(
    SAYABLE.map((text) => [text, text]),
  );
  expect(comment?.value).toBe(SAYABLE.join("\n"));
});

it("names a table by every text that can be one", () => {
  for (const text of SAYABLE) {
    const one = writeTableYaml(
      importTable(metadataOf([schemaOf(field(1, "a", "int"))]), { name: ["ns", text], catalog: null, pins: "none" }).table,
    );
    const { table } = parse(one) as Written;
    expect(declared(one).parts, text).toEqual(["ns", text]);
    if (Array.isArray(table)) expect(table).toEqual(["ns", text]);
  }
});
