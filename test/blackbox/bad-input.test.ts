// Everything a person or a disk can get wrong: each a clear message with place and mend, the right exit code, and
// the table as it was.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { employees, floeplan, type Ran } from "./support.ts";

let folder = "";
let remove: () => void = () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await employees());
});
afterEach(() => remove());

const at = (path: string): string => join(folder, path);
const FILE = "tables/hr/iceberg_employee.yaml";
const TABLE = "warehouse/hr/iceberg_employee";

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(at(path), "utf8");
  expect(text).toContain(from);
  writeFileSync(at(path), text.replace(from, to));
}

/** Names and contents of everything under the table. */
function state(): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(at(TABLE), { recursive: true, withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  }
  return hash.digest("hex");
}

async function reviewed(): Promise<void> {
  expect((await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "plan.json"])).exit).toBe(0);
}

const apply = async (): Promise<Ran> => await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json"]);
const said = ({ stdout, stderr }: Ran): string => stdout + stderr;

describe("a bad declaration", () => {
  it.each([
    ["broken YAML", "columns:\n", "columns: [\n", "yaml"],
    ["an unknown key", "columns:\n", "colums:\n", "unknown-key"],
    ["a wrong type", "type: int, comment", "type: intt, comment", "type"],
    ["a duplicate column", "{ name: sex,", "{ name: language,", "declared-twice"],
    ["an unquoted comma", "{ name: name_last, type: string }", "{ name: name_last, type: decimal(9,2) }", "unquoted-comma"],
  ])("with %s names file, line and column and ends with 65", async (_, from, to, code) => {
    edit(FILE, from, to);
    const before = state();
    for (const words of [["validate"], ["plan", "hr.iceberg_employee"], ["apply", "hr.iceberg_employee", "--yes"]]) {
      const ran = await floeplan(folder, words);
      expect(ran.exit, words.join(" ")).toBe(65);
      expect(said(ran)).toMatch(/tables\/hr\/iceberg_employee\.yaml:\d+:\d+/);
      expect(said(ran)).toContain(code);
      expect(said(ran)).not.toContain("    at ");
    }
    expect(state()).toBe(before);
  });
});

describe("a bad project", () => {
  it("with a missing warehouse folder ends with 78", async () => {
    edit("floeplan.yaml", "./warehouse", "./nowhere");
    const ran = await floeplan(folder, ["plan"]);
    expect(ran.exit).toBe(78);
    expect(said(ran)).toContain("nowhere");
  });

  it("outside any project says so and ends with 78", async () => {
    mkdirSync(at("empty"));
    const ran = await floeplan("/", ["plan"]);
    expect(ran.exit).toBe(78);
  });

  it("with an unknown table, option or command ends with 64 and a near spelling", async () => {
    const table = await floeplan(folder, ["plan", "hr.iceberg_employe"]);
    expect([table.exit, said(table)]).toEqual([64, expect.stringContaining('Did you mean "hr.iceberg_employee"')]);
    expect((await floeplan(folder, ["plan", "--prefligt"])).exit).toBe(64);
    expect((await floeplan(folder, ["plam"])).exit).toBe(64);
  });
});

describe("a damaged table", () => {
  it("with a corrupt newest metadata file is told, and nothing is written", async () => {
    await reviewed();
    writeFileSync(at(`${TABLE}/metadata/v5.metadata.json`), '{"format-version": 2,');
    const before = state();
    const ran = await apply();
    expect(ran.exit).toBe(1);
    expect(said(ran)).toContain("v5.metadata.json");
    expect(state()).toBe(before);
  });

  it("with a truncated manifest is told with its name", async () => {
    await reviewed();
    const manifest = readdirSync(at(`${TABLE}/metadata`)).find((name) => name.endsWith("-m0.avro")) ?? "";
    truncateSync(at(`${TABLE}/metadata/${manifest}`), 3000);
    const before = state();
    const ran = await apply();
    expect(ran.exit).toBe(1);
    expect(said(ran)).toContain(manifest);
    expect(state()).toBe(before);
  });

  it.each([
    ["a truncated data file", (path: string) => truncateSync(path, 2000)],
    ["a data file of zeros", (path: string) => writeFileSync(path, Buffer.alloc(4000))],
    ["a missing data file", (path: string) => rmSync(path)],
  ])("with %s is told with its name, and nothing is committed", async (_, damage) => {
    await reviewed();
    const data = readdirSync(at(`${TABLE}/data`))[0] ?? "";
    damage(at(`${TABLE}/data/${data}`));
    const versions = readdirSync(at(`${TABLE}/metadata`)).length;
    const ran = await apply();
    expect(ran.exit).toBe(1);
    expect(said(ran)).toContain(data);
    expect(readdirSync(at(`${TABLE}/metadata`))).toHaveLength(versions);
    expect(readdirSync(at(`${TABLE}/data`)).filter((name) => name.startsWith("floeplan-"))).toEqual([]);
  });

  it("with a damaged page is shown without its rows", async () => {
    for (const name of readdirSync(at(`${TABLE}/data`)).filter((one) => one.endsWith(".parquet"))) {
      writeFileSync(at(`${TABLE}/data/${name}`), readFileSync(at(`${TABLE}/data/${name}`)).fill(0xff, 4, 40));
    }
    const ran = await floeplan(folder, ["show", "hr.iceberg_employee"]);
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain("employeeid");
    expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain("rows not shown: a data file cannot be read");
  });

  it("that is a folder without a table is told", async () => {
    renameSync(at(`${TABLE}/metadata`), at(`${TABLE}/something`));
    const ran = await floeplan(folder, ["plan", "hr.iceberg_employee"]);
    expect(ran.exit).toBe(1);
    expect(said(ran)).toContain("iceberg_employee");
  });

  it("that was copied without its paths is not rewritten", async () => {
    cpSync(at(TABLE), at("warehouse/hr/copy"), { recursive: true });
    writeFileSync(at("tables/hr/copy.yaml"), readFileSync(at(FILE), "utf8").replace("hr.iceberg_employee", "hr.copy"));
    const before = state();
    const ran = await floeplan(folder, ["plan", "hr.copy"]);
    expect(ran.exit).toBe(3);
    expect(said(ran)).toContain("[table-copied]");
    expect(state()).toBe(before);
  });
});

describe("a bad plan file", () => {
  it.each([
    ["no JSON", "{"],
    ["another document", '{"a": 1}'],
  ])("with %s is refused with 3", async (_, text) => {
    writeFileSync(at("plan.json"), text);
    const ran = await apply();
    expect(ran.exit).toBe(3);
    expect(said(ran)).toContain("[plan-file-invalid]");
  });

  it("that does not hold today's steps is refused", async () => {
    await reviewed();
    edit(FILE, "Filled from 2027 on", "Another comment");
    appendFileSync(at(FILE), "properties: { gc.enabled: false }\n");
    const before = state();
    const ran = await apply();
    expect(ran.exit).toBe(3);
    expect(said(ran)).toContain("[not-approved]");
    expect(state()).toBe(before);
  });
});

describe.skipIf(process.getuid?.() === 0)("a folder that may not be written", () => {
  it("ends with 77 and leaves nothing behind", async () => {
    await reviewed();
    chmodSync(at(`${TABLE}/data`), 0o555);
    const ran = await apply();
    chmodSync(at(`${TABLE}/data`), 0o755);
    expect(ran.exit).toBe(77);
  });
});
