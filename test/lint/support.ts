// Lints YAML as `validate` does: a scratch project of the given files, read by the real loader for all environments.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadProject, resolveProject } from "../../src/desired/load-project.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { lintTables } from "../../src/lint/index.ts";

const PROJECT = `floeplan: 1
environments:
  dev: { catalogs: { lake: { type: local, warehouse: ./dev } }, namespace: "{namespace}_dev" }
  prod: { catalogs: { lake: { type: local, warehouse: ./prod } } }
`;

/** `lint`: the text behind `lint:` in the project file. Throws where a file is wrong: a case must be what it says. */
export function lint(files: Readonly<Record<string, string>>, lint = "{}"): readonly Diagnostic[] {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-lint-"));
  try {
    for (const [path, text] of Object.entries({ "floeplan.yaml": `${PROJECT}lint: ${lint}\n`, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const project = loadProject(folder);
    const { config } = project;
    if (config === null || project.diagnostics.length > 0) throw new Error(JSON.stringify(project.diagnostics, null, 2));
    return lintTables(
      config.environments.flatMap(({ name }) => resolveProject(project, name).tables),
      config,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One table with columns of these names, all of type int. */
export function tableOf(names: readonly string[], name = "sales.orders"): string {
  return `table: ${yaml(name)}\ncolumns:\n${names.map((one) => `  - { name: ${yaml(one)}, type: int }\n`).join("")}`;
}

/** In double quotes, with an escape for what a file may not hold as it is. */
function yaml(text: string): string {
  return JSON.stringify(text).replace(/[\u007F-\u009F\uFEFF]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function told({ code, place, what }: Diagnostic): string {
  return `${place?.file}:${place?.line}:${place?.column} ${code}: ${what}`;
}
