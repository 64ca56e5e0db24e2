// What becomes of a table when its file moves, goes, names another table, or asks for no memory: by the whole command
// line, on a warehouse in a folder.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inside } from "./inside.ts";

const FILE = "tables/orders.yaml";
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "floeplan-files-"));
  for (const name of ["tables/sales", "lake"]) mkdirSync(join(folder, name), { recursive: true });
  write("floeplan.yaml", "floeplan: 1\nenvironments:\n  dev: { catalogs: { lake: { type: local, warehouse: ./lake } } }\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}
const declare = (names: readonly string[], more = "", table = "sales.orders"): void =>
  write(FILE, `table: ${table}\ncolumns:\n${names.map((name) => `  - { name: ${name}, type: string }\n`).join("")}${more}`);
const said = async (exit: number, ...words: readonly string[]): Promise<string> => {
  const ran = await inside(folder, words, {});
  expect([ran.exit, ran.exit === exit ? "" : ran.stdout + ran.stderr], words.join(" ")).toEqual([exit, ""]);
  return (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
};
interface Metadata {
  readonly "table-uuid": string;
  readonly properties: Readonly<Record<string, string>>;
}
const metadata = (version: number, table = "orders"): Metadata =>
  JSON.parse(readFileSync(join(folder, `lake/sales/${table}/metadata/v${version}.metadata.json`), "utf8")) as Metadata;
const memory = (version: number): readonly string[] =>
  Object.keys(metadata(version).properties).filter((key) => key.startsWith("floeplan."));

it("a file that moves changes nothing", async () => {
  declare(["a", "b"]);
  await said(0, "apply", "--yes");
  renameSync(join(folder, FILE), join(folder, "tables/sales/renamed.yaml"));
  expect(await said(0, "plan", "--exit-code")).toContain("No changes. 1 table in step.");
});

it("a file that goes leaves its table alone, and drift can tell", async () => {
  declare(["a", "b"]);
  write("tables/other.yaml", "table: sales.other\ncolumns:\n  - { name: x, type: int }\n");
  await said(0, "apply", "--yes");
  const before = metadata(1);
  rmSync(join(folder, FILE));
  await said(0, "plan", "--exit-code");
  expect(await said(0, "apply", "--yes")).not.toContain("sales.orders");
  expect(await said(2, "drift", "--exit-code", "--unmanaged-tables")).toContain("sales.orders");
  expect(metadata(1)).toEqual(before);
});

it("an edited name makes no empty table beside the full one, unless that is meant", async () => {
  declare(["a", "b"]);
  await said(0, "apply", "--yes");
  declare(["a", "b"], "", "sales.bookings");
  expect(await said(3, "plan")).toContain("table-looks-renamed");
  await said(3, "apply", "--yes");
  declare(["a", "b"], "new: true\n", "sales.bookings");
  await said(0, "apply", "--yes");
  expect(metadata(1, "bookings")["table-uuid"]).not.toBe(metadata(1)["table-uuid"]);
});

it("without memory the table gets no property of floeplan, and nothing that is undeclared is ever dropped", async () => {
  declare(["a", "b"], "remember: false\n");
  await said(0, "apply", "--yes");
  expect(memory(1)).toEqual([]);
  declare(["a", "b", "c"], "remember: false\n");
  await said(0, "apply", "--yes");
  expect(memory(2)).toEqual([]);
  declare(["a", "b"], "remember: false\n");
  expect(await said(2, "plan", "--exit-code")).toContain("? c");
  expect(await said(0, "apply", "--yes")).not.toContain("- c");
  declare(["a", "b", "c"]);
  await said(0, "apply", "--yes");
  declare(["a", "b", "c", "d"]);
  await said(0, "apply", "--yes");
  expect(memory(3)).toContain("floeplan.applied.field-ids");
  declare(["a", "b", "c"]);
  expect(await said(3, "plan")).toContain("field-dropped-unacknowledged");
});
