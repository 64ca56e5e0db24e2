// The reference of the format is held to the program: its examples are read without findings, its tables of what
// breaks are told, and every key of the schemas occurs in it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { allKeys } from "../../src/desired/explain-key.ts";
import { formatYaml } from "../../src/desired/format-yaml.ts";
import { loadProject, resolveProject } from "../../src/desired/load-project.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import { writeProject } from "./project-support.ts";
import { parse, read } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "floeplan-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(resolve(import.meta.dirname, "../../docs/table-files.md"), "utf8");
const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");

function block(start: string): string {
  const found = blocks.find((one) => one.includes(start));
  if (found === undefined) throw new Error(`No example with ${start}`);
  return found;
}

describe("docs/table-files.md", () => {
  it("has an example project that is read without findings in every environment", () => {
    const root = writeProject(folder, {
      "floeplan.yaml": block("floeplan: 1"),
      "shared/audit.yaml": block("columns-of:"),
      "tables/orders.yaml": block("table: sales.orders"),
    });
    const project = loadProject(root);
    expect(project.diagnostics).toEqual([]);
    for (const environment of ["dev", "prod"]) {
      const { tables, diagnostics } = resolveProject(project, environment);
      expect([tables.map((table) => table.name), diagnostics]).toEqual([["sales.orders"], []]);
    }
  });

  it("has examples of columns that are read without findings", () => {
    for (const start of ["name: prices", "name: days", "name: order_date"]) {
      expect(read(`table: a.b\ncolumns:\n${block(start)}`).diagnostics).toEqual([]);
    }
  });

  it("tells in its table what breaks, and the mend that floeplan makes", () => {
    const section = page.slice(page.indexOf("| written | YAML reads | write |"), page.indexOf("Refused, since"));
    const rows = [...section.matchAll(/^\| `(.+?)` \| .+ \| `(.+?)` \|$/gm)];
    expect(rows.length).toBe(11);
    for (const [, written = "", mended = ""] of rows) {
      const text = written.startsWith("[") ? `unmanaged: ${written}` : written.startsWith("{") ? `- ${written}` : written;
      expect(parse(`${text}\n`).diagnostics).not.toEqual([]);
      expect(formatYaml(sourceText("t.yaml", `${text}\n`))).toBe(`${text.slice(0, text.length - written.length)}${mended}\n`);
    }
  });

  it("names every key", () => {
    const names = new Set(allKeys().map((key) => key.path.split(".").at(-1) ?? ""));
    const lacking = [...names].filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(page));
    expect(lacking).toEqual([]);
  });
});

describe.each(["aws.md", "rest.md"])("docs/%s", (name) => {
  it("has project files that are read without findings, as they stand", () => {
    const text = readFileSync(resolve(import.meta.dirname, "../../docs", name), "utf8");
    const projects = [...text.matchAll(/```yaml\n(# floeplan\.yaml\n[\s\S]*?)```/g)].map((match) => match[1] ?? "");
    expect(projects.length).toBeGreaterThan(0);
    const table = "table: sales.orders\ncolumns:\n  - { name: order_id, type: long }\n";
    for (const project of projects) {
      const root = writeProject(folder, { "floeplan.yaml": project, "tables/orders.yaml": table });
      expect(loadProject(root).diagnostics).toEqual([]);
    }
  });
});
