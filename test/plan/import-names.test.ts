// Names of imported tables: the namespace template undone, and the path that the project looks for.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declaredNamespace, pathFor, usualPath } from "../../src/commands/import-names.ts";
import { fillNamespace } from "../../src/desired/config/templates.ts";

describe("the declared namespace of a live one", () => {
  it.each([
    [null, ["sales"], ["sales"]],
    ["{namespace}", ["lake", "sales"], ["lake", "sales"]],
    ["{namespace}_dev", ["sales_dev"], ["sales"]],
    ["{namespace}_dev", ["lake", "sales_dev"], ["lake", "sales"]],
    ["{namespace}_dev", ["sales"], null],
    ["{namespace}_dev", ["_dev"], null],
    ["dev_{namespace}", ["dev_lake", "sales"], ["lake", "sales"]],
    ["dev.{namespace}", ["dev", "sales"], ["sales"]],
    ["dev.{namespace}.raw", ["dev", "lake", "sales", "raw"], ["lake", "sales"]],
    ["dev.{namespace}.raw", ["prod", "sales", "raw"], null],
    ["{namespace}.{namespace}_copy", ["sales", "sales_copy"], ["sales"]],
    ["{namespace}.{namespace}_copy", ["sales", "other_copy"], null],
    ["all", ["all"], ["all"]],
    ["all", ["sales"], null],
  ])("by the template %j: %j was %j", (template, live, declared) => {
    expect(declaredNamespace(template, live)).toEqual(declared);
  });

  it("becomes the live one again, whatever the template and the names", () => {
    const word = fc.stringMatching(/^[a-c._]{1,3}$/).filter((text) => text !== "");
    const template = fc
      .array(fc.oneof(fc.constant("{namespace}"), fc.stringMatching(/^[ab_.]{0,3}$/)), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(template, fc.array(word, { minLength: 1, maxLength: 3 }), (text, namespace) => {
        const live = fillNamespace(text, namespace);
        const found = declaredNamespace(text, live);
        expect(found === null ? null : fillNamespace(text, found)).toEqual(
          text.includes("{namespace}") || found !== null ? live : null,
        );
      }),
    );
  });
});

describe("the path of a new file", () => {
  it.each([
    [["tables/**/*.yaml"], "tables/sales/orders.yaml"],
    [["tables/**/*.{yaml,yml}"], "tables/sales/orders.yaml"],
    [["tables/*/*.yml"], "tables/sales/orders.yml"],
    [["tables/*.yaml"], "tables/sales.orders.yaml"],
    [["lake/iceberg/**/*.yaml"], "lake/iceberg/sales/orders.yaml"],
    [["{a,b}/*/*.yaml"], "a/sales/orders.yaml"],
    [["**/*.yaml"], "tables/sales/orders.yaml"],
    [["*.yaml"], "sales.orders.yaml"],
    [["tables/all.yaml", "more/**/*.yaml"], "more/sales/orders.yaml"],
    [["tables/all.yaml"], null],
    [[], null],
  ])("is where %j looks: %j", (tables, path) => {
    expect(pathFor({ tables }, ["sales", "orders"])).toBe(path);
  });

  it("tells twins apart where a file system does not tell case", () => {
    const names = [
      ["ns", "Orders"],
      ["ns", "orders"],
      ["NS", "orders"],
    ];
    for (const path of [
      (name: string[]) => usualPath(name, true),
      (name: string[]) => pathFor({ tables: ["*.yml"] }, name, true),
    ])
      expect(new Set(names.map((name) => path(name)?.toLowerCase())).size).toBe(3);
  });

  it("holds nothing that a shell, a glob or a file system reads, and differs for every name", () => {
    const names = ["a/b", "a\\b", "a b", "a*b", "..", ".hidden", "a\nb", "a".repeat(300), "ä", "日本", "a.b"];
    const paths = names.map((name) => usualPath(["ns", name]));
    expect(new Set(paths).size).toBe(names.length);
    for (const path of paths) expect(path).toMatch(/^tables\/ns\/[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,120}\.yaml$/u);
    expect(paths.at(-3)).toBe("tables/ns/ä.yaml");
    expect(paths.at(-1)).toBe("tables/ns/a.b.yaml");
  });
});
