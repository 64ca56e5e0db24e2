// Every finding of the Action, read in a row.
import { afterEach, expect, it } from "vitest";
import { ACTION_CODES } from "../../../src/diagnostics/codes/action.ts";
import { type Lake, makeWarehouses, project, startLake } from "../../action/support.ts";
import { ORDERS } from "../../action/tables.ts";
import { flowPictures, JUDGED_SCENES } from "./scenes/action.ts";
import { expectWall, type Picture } from "./wall.ts";

let lake: Lake | null = null;
afterEach(async () => {
  await lake?.stop();
});

it("shows every finding of the Action", async () => {
  lake = await startLake(project({ orders: ORDERS }));
  makeWarehouses(lake);
  const hung: (readonly [string, Picture])[] = Object.entries(await flowPictures(lake));
  for (const [code, scene] of Object.entries(JUDGED_SCENES)) hung.push([code, await scene()]);
  expect(hung.map(([code]) => code).sort()).toEqual(Object.keys(ACTION_CODES).sort());
  await expectWall("action", hung);
});
