// Renames that somebody meant and the file does not say: warned of, never guessed.
import { describe, expect, it } from "vitest";
import { blockersOf, field, metadataOf, plan, schemaOf, stepsOf } from "./support.ts";

const table = (columns: string, more = ""): string => `table: ns.t\ncolumns:\n${columns}${more}`;
const column = (name: string, more = "", type = "string"): string => `  - { name: ${name}, type: ${type}${more} }\n`;
const three = metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"), field(3, "c", "string"))]);

/** Warnings of a plan as `code: mend`. */
function warned(planned: ReturnType<typeof plan>): readonly string[] {
  return planned.plan.notes.filter((one) => one.severity === "warning").map((one) => `${one.code}: ${one.mend}`);
}

describe("a renamed-from that names no live column", () => {
  it("adds the column as it says, and asks for the near name", () => {
    const planned = plan(table(column("a") + column("b2", ", renamed-from: bb") + column("c")), three);
    expect(stepsOf(planned)).toEqual(["add-field b2"]);
    expect(warned(planned)).toEqual(['renamed-from-not-found: Did you mean "b"?']);
  });

  it("takes a path for the name that was meant", () => {
    const live = metadataOf([schemaOf(field(1, "d", { type: "struct", fields: [field(2, "since", "string")] }))]);
    const nested = `  - name: d\n    type: struct\n    fields:\n      - { name: from, type: string, renamed-from: [ d.since ] }\n`;
    expect(warned(plan(table(nested), live))).toEqual(['renamed-from-not-found: Did you mean "since"?']);
  });

  it("says that the old name is still declared", () => {
    const planned = plan(table(column("a") + column("b") + column("b2", ", renamed-from: b") + column("c")), three);
    expect(warned(planned)).toEqual([
      'renamed-from-not-found: Remove "b" from the file if it was renamed, else remove `renamed-from`',
    ]);
  });

  it("is silent once the rename is done, and for a table that is to be made", () => {
    const yaml = table(column("a", ", renamed-from: old") + column("b") + column("c"));
    expect(warned(plan(yaml, three))).toEqual([]);
    expect(warned(plan(yaml, null))).toEqual([]);
  });
});

describe("a new column where an undeclared one stands", () => {
  it.each([
    ["first", column("x") + column("b") + column("c"), "a", "x"],
    ["in the middle", column("a") + column("x") + column("c"), "b", "x"],
    ["last", column("a") + column("b") + column("x"), "c", "x"],
  ])("may be a rename: %s", (_, columns, old, name) => {
    const planned = plan(table(columns), three);
    expect(stepsOf(planned)).toEqual([`add-field ${name}`]);
    expect(warned(planned)).toEqual([
      `rename-likely: If it was renamed, write \`renamed-from: [ ${old} ]\` on "${name}"; if it is new, nothing`,
    ]);
  });

  it.each([
    ["another type", column("a") + column("x", "", "int") + column("c"), ""],
    ["another place", column("x") + column("a") + column("c"), ""],
    ["a column that is left alone", column("a") + column("x") + column("c"), "unmanaged: [ b ]\n"],
    ["a column that is dropped on purpose", column("a") + column("x") + column("c"), "dropped: [ { field: b, reason: x } ]\n"],
  ])("is none with %s", (_, columns, more) => {
    expect(warned(plan(table(columns, more), three))).toEqual([]);
  });
});

describe("names that only letter case tells apart", () => {
  it("are refused when both are declared and one is new", () => {
    const planned = plan(table(column("a") + column("A") + column("b") + column("c")), three);
    expect(blockersOf(planned)).toEqual(["name-differs-in-case"]);
    expect(planned.plan.blockers[0]?.mend).toBe("Give it another name");
  });

  it("are fine where the other is dropped or renamed by the same change", () => {
    const dropped = table(column("A") + column("b") + column("c"), "dropped: [ { field: a, reason: x } ]\n");
    expect(blockersOf(plan(dropped, three))).toEqual([]);
    const renamed = table(column("A", ", renamed-from: a") + column("b") + column("c"));
    expect(blockersOf(plan(renamed, three))).toEqual([]);
  });
});
