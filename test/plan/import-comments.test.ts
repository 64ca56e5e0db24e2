// Comments that only the catalog keeps: said, and adopted when asked for; nothing else of the plan changes.
import { describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { isSpec, planText, readText, standInPlace } from "../../src/commands/import-check.ts";
import { importNew } from "../../src/commands/import-new.ts";
import type { CommandContext } from "../../src/commands/ports.ts";
import type { CatalogState } from "../../src/iceberg/catalog-state.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { catalogFacts } from "../../src/apply/table-state.ts";
import { createMemoryCatalog } from "../../src/catalog/memory.ts";
import { field, liveOf, metadataOf, schemaOf } from "./support.ts";

const state: CatalogState = {
  parameters: {},
  differences: () => [],
  problems: () => [],
  notes: () => [],
  comments: () => [
    { column: null, comment: "Orders" },
    { column: "a", comment: "From Glue" },
    { column: "b", comment: "Not this one" },
  ],
};
const live: LiveTable = {
  ...liveOf(metadataOf([schemaOf(field(1, "a", "int"), field(2, "b", "int", { doc: "Iceberg's own" }))])),
  catalogState: state,
};
const memory = createMemoryCatalog({
  name: "lake",
  ports: { nowMs: () => 0, newUuid: () => "", wait: async () => undefined },
});
const catalog: Catalog = { ...memory, loadTable: async () => live };
const place = standInPlace(
  { type: "local", warehouse: "/wh", place: { file: "", line: 1, column: 1 } },
  catalogFacts(catalog),
  "/wh",
);

/** Only what importing asks of it. */
const context = {
  signal: new AbortController().signal,
  progress: { report: () => undefined, end: () => undefined },
} as unknown as CommandContext;

async function imported(adoptsComments: boolean): Promise<{ text: string; told: string[]; steps: string[] }> {
  const source = { name: "lake", catalog, template: null };
  const found = [{ source, identifier: live.identifier, declared: ["ns", "t"], named: true }];
  const { files, texts } = await importNew(context, found, {
    place: () => place,
    pins: "none",
    adoptsComments,
    defaultCatalog: "lake",
    declared: new Map(),
    write: null,
  });
  const text = texts[0]?.text ?? "";
  const spec = readText(text, "t.yaml", place);
  const steps = isSpec(spec)
    ? planText(spec, live, place).plan.steps.map((step) => `${step.kind} ${step.field?.path ?? ""}`)
    : ["?"];
  return { text, told: files.flatMap((file) => file.findings.map((one) => one.what)), steps };
}

describe("comments that only the catalog keeps", () => {
  it("stay out of the file, and are counted", async () => {
    const { text, told, steps } = await imported(false);
    expect(text).not.toContain("Glue");
    expect(told).toEqual(["3 comments live only in lake (memory)"]);
    expect(steps).toEqual([]);
  });

  it("are taken over when asked for, but none that the metadata has, and are all that the next plan does", async () => {
    const { text, told, steps } = await imported(true);
    expect(text).toContain('comment: "Orders"\n');
    expect(text).toContain('{ name: a, type: int, comment: "From Glue" }');
    expect(text).toContain(`{ name: b, type: int, comment: "Iceberg's own" }`);
    expect(told).toEqual(["3 comments live only in lake (memory): taken over, and the next plan writes them to the table"]);
    expect(steps).toEqual(["set-doc a", "set-comment "]);
  });
});
