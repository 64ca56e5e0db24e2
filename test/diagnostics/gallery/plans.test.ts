// Every finding of a plan, brought about by the smallest declaration and live table that have it, and read in a row.
import { it } from "vitest";
import { CONVERSION_SCENES, PLAN_SCENES } from "./scenes/plans.ts";
import { expectWall } from "./wall.ts";

it.each([
  ["plans", PLAN_SCENES],
  ["conversions", CONVERSION_SCENES],
])("shows every finding of %s", async (area, scenes) => {
  await expectWall(
    area,
    Object.entries(scenes).map(([code, picture]) => [code, picture()]),
  );
});
