// Every finding of import, apply, rollback, the rewriting engine and lint, brought about by a real command.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { employees } from "../../blackbox/support.ts";
import { APPLY_SCENES, ENGINE_SCENES, IMPORT_SCENES, LINT_SCENES, type Workshop } from "./scenes/commands.ts";
import { expectWall, type Picture } from "./wall.ts";

const ends: (() => void)[] = [];
let workshop: Workshop;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-gallery-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  workshop = {
    folder,
    employees: async () => {
      const { folder: copy, remove } = await employees();
      ends.push(remove);
      return copy;
    },
  };
});
afterAll(() => {
  for (const end of ends) end();
});

it.each([
  ["import", IMPORT_SCENES],
  ["apply", APPLY_SCENES],
  ["engine", ENGINE_SCENES],
  ["lint", LINT_SCENES],
])("shows every finding of %s", async (area, scenes) => {
  const hung: (readonly [string, Picture])[] = [];
  for (const [code, scene] of Object.entries(scenes)) hung.push([code, await scene(workshop)]);
  await expectWall(area, hung);
});
