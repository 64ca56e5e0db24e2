// `validate` of the built program runs the lint rules: place, level and exit code.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { floeplan } from "./support.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "floeplan-lint-"));
  mkdirSync(join(folder, "tables"));
  mkdirSync(join(folder, "wh"));
  writeFileSync(
    join(folder, "tables/orders.yaml"),
    'table: sales.orders\ncolumns:\n  - { name: order_id, type: long }\n  - { name: "\u043erder_id", type: long }\n  - { name: orderTotal, type: double }\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function project(lint: string): void {
  writeFileSync(
    join(folder, "floeplan.yaml"),
    `floeplan: 1\nenvironments:\n  dev: { catalogs: { lake: { type: local, warehouse: ./wh } } }\n${lint}`,
  );
}

describe("validate", () => {
  it("warns of names that deceive, and ends well", async () => {
    project("");
    const ran = await floeplan(folder, ["validate"]);
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain("tables/orders.yaml:4:13");
    expect(ran.stdout).toContain("[confusable-name]");
    expect(ran.stdout).not.toContain("name-style");
  });

  it("ends with 65 where a rule of level error is broken", async () => {
    project("lint: { name-style: error, confusable-name: off }\n");
    const ran = await floeplan(folder, ["validate", "--format", "json"]);
    expect(ran.exit).toBe(65);
    const [found, ...others] = (JSON.parse(ran.stdout) as { diagnostics: Record<string, unknown>[] }).diagnostics;
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: "name-style",
      severity: "error",
      table: "sales.orders",
      field: "orderTotal",
      place: { file: "tables/orders.yaml", line: 5, column: 13 },
    });
  });

  it("ends with 78 where the project file names a rule that does not exist", async () => {
    project("lint: { name-stile: error }\n");
    const ran = await floeplan(folder, ["validate"]);
    expect(ran.exit).toBe(78);
    expect(ran.stdout).toContain("floeplan.yaml:4:9");
    expect(ran.stdout).toContain('Did you mean "name-style"?');
  });

  it("leaves plan to its own", async () => {
    project("lint: { name-style: error }\n");
    expect((await floeplan(folder, ["plan"])).exit).toBe(0);
  });
});
