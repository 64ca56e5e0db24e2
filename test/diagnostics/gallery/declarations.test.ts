// Every finding about a declaration, brought about by the smallest file that has it, and read in a row.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFiles } from "../../../src/desired/find-files.ts";
import { loadProject, resolveProject } from "../../../src/desired/load-project.ts";
import { DESIRED_CODES } from "../../../src/diagnostics/codes/desired.ts";
import { writeProject } from "../../desired/project-support.ts";
import { DECLARATION_SCENES, FILE, type FilesScene } from "./scenes/declarations.ts";
import { expectWall, type Picture } from "./wall.ts";

const PROJECT = `floeplan: 1
environments:
  dev: { catalogs: { lake: { type: local, warehouse: ./dev } } }
  prod: { catalogs: { lake: { type: local, warehouse: ./prod } } }
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "floeplan-gallery-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function picture(scene: string | FilesScene): Picture {
  const { files, prepare }: FilesScene = typeof scene === "string" ? { files: { [FILE]: scene } } : scene;
  const root = writeProject(folder, { "floeplan.yaml": PROJECT, ...files });
  prepare?.(root);
  const project = loadProject(root);
  const names = project.config?.environments.map((one) => one.name) ?? [];
  const found = [...project.diagnostics, ...names.flatMap((name) => resolveProject(project, name).diagnostics)];
  return { found, sources: (file) => project.texts.get(file) };
}

/** The limit of the loader is far above what a test likes to write. */
function tooMany(): Picture {
  const root = writeProject(folder, { "tables/a.yaml": "", "tables/b.yaml": "" });
  const { diagnostics } = findFiles(root, ["tables/*.yaml"], { file: "floeplan.yaml", line: 2, column: 1 }, 1);
  return { found: diagnostics };
}

it("shows every finding about a declaration", async () => {
  const scenes = Object.entries(DECLARATION_SCENES).map(([code, scene]) => [code, picture(scene)] as const);
  const hung = [...scenes, ["too-many-files", tooMany()] as const];
  expect(hung.map(([code]) => code).sort()).toEqual(Object.keys(DESIRED_CODES).sort());
  await expectWall("declarations", hung);
});
