// Splices where the layout is unusual: lists on the line of another dash, remarks between a dash and its item, keys
// without a value, empty collections.
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../src/desired/yaml/apply-edits.ts";
import { insertItem, removeItem, removeKey, setKey } from "../../src/desired/yaml/splice.ts";
import { startOfDash } from "../../src/desired/yaml/splice-spots.ts";
import { findValue, type ListNode, type MapNode, type YamlNode } from "../../src/desired/yaml/tree.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { parse } from "./support.ts";

function rootOf(text: string): YamlNode {
  const { root } = parse(text);
  if (root === null) throw new Error("not read");
  return root;
}

function listAt(text: string, key: string): ListNode {
  const root = rootOf(text);
  const list = root.kind === "map" ? findValue(root, key) : undefined;
  if (list?.kind !== "list") throw new Error("no list");
  return list;
}

function mapOf(text: string): MapNode {
  const root = rootOf(text);
  if (root.kind !== "map") throw new Error("no map");
  return root;
}

describe("a splice", () => {
  it("removes the first item that shares its line with an outer dash", () => {
    const text = "x:\n  - - a\n    - b\n";
    const [inner] = listAt(text, "x").items;
    if (inner?.kind !== "list") throw new Error("no inner list");
    expect(applyEdits(text, [removeItem(text, inner, 0)])).toBe("x:\n  - - b\n");
    expect(applyEdits(text, [removeItem(text, inner, 1)])).toBe("x:\n  - - a\n");
  });

  it("finds the dash behind a remark that ends with one", () => {
    const text = "x:\n  - # not this -\n    a: 1\n  # nor this -\n  - a: 2\n";
    const list = listAt(text, "x");
    expect(list.items.map((item) => startOfDash(text, item.start))).toEqual([5, text.lastIndexOf("- a")]);
    expect(applyEdits(text, [removeItem(text, list, 0)])).toBe("x:\n  # nor this -\n  - a: 2\n");
  });

  it("replaces nothing by a value, and a list below by one beside", () => {
    const set = (text: string, value: string): string => applyEdits(text, [setKey(text, mapOf(text), "a", value)]);
    expect(set("a:\nb: 1\n", "x")).toBe("a: x\nb: 1\n");
    expect(set("a:   # remark\nb: 1\n", "x")).toBe("a: x   # remark\nb: 1\n");
    expect(set("{ a, b: 1 }\n", "x")).toBe("{ a: x, b: 1 }\n");
    expect(set("a:\n- 1\n- 2 # two\nb: 1\n", "[]")).toBe("a: [] # two\nb: 1\n");
    expect(set("a: |\n  text\n\nb: 1\n", '"x"')).toBe('a: "x"\n\nb: 1\n');
    expect(set("{}\n", "x")).toBe("{ a: x }\n");
  });

  it("leaves an empty map or list where the last entry goes", () => {
    const text = "a:\n  b: 1\nc:\n  - d\ne: [ f ]\n";
    const map = mapOf(text);
    const inner = findValue(map, "a");
    if (inner?.kind !== "map") throw new Error("no map");
    expect(applyEdits(text, removeKey(text, inner, "b"))).toBe("a:\n  {}\nc:\n  - d\ne: [ f ]\n");
    expect(applyEdits(text, [removeItem(text, listAt(text, "c"), 0)])).toBe("a:\n  b: 1\nc: []\ne: [ f ]\n");
    expect(applyEdits(text, [removeItem(text, listAt(text, "e"), 0)])).toBe("a:\n  b: 1\nc:\n  - d\ne: []\n");
  });

  it("takes the right comma along in [] and {}", () => {
    const list = "a: [ x, y, z ]";
    const without = (index: number): string => applyEdits(list, [removeItem(list, listAt(list, "a"), index)]);
    expect([0, 1, 2].map(without)).toEqual(["a: [ y, z ]", "a: [ x, z ]", "a: [ x, y ]"]);
    const into = (index: number): string => applyEdits(list, [insertItem(list, listAt(list, "a"), index, ["n"])]);
    expect([0, 1, 3].map(into)).toEqual(["a: [ n, x, y, z ]", "a: [ x, n, y, z ]", "a: [ x, y, z, n ]"]);
    const map = "{ a: 1, b: 2, c: 3 }";
    expect(["a", "b", "c"].map((key) => applyEdits(map, removeKey(map, mapOf(map), key)))).toEqual([
      "{ b: 2, c: 3 }",
      "{ a: 1, c: 3 }",
      "{ a: 1, b: 2 }",
    ]);
  });

  it("never lets two edits of one spot through", () => {
    const edit = { start: 1, end: 3, text: "x" };
    expect(() => applyEdits("abcd", [edit, { start: 2, end: 4, text: "y" }])).toThrow(ToolError);
    expect(() => applyEdits("abcd", [{ start: 3, end: 9, text: "" }])).toThrow(ToolError);
    expect(applyEdits("abcd", [edit, edit, { start: 3, end: 3, text: "!" }])).toBe("ax!d");
  });
});
