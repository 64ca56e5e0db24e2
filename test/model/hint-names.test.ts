// Found by the model: an old name is a name and no path, so that what no path may hold ends no plan.
import { expect, it } from "vitest";
import { field, metadataOf, plan, schemaOf } from "../plan/support.ts";

it.each(['order id" x', 'a "b', "x y", "a..b", ".", "`a`"])("an old name that is not there may be %j", (hint) => {
  const yaml = `table: ns.t\ncolumns:\n  - { name: id, type: int }\n  - { name: order_id, type: string, renamed-from: [ ${JSON.stringify(hint)} ] }\n`;
  const { plan: made } = plan(yaml, metadataOf([schemaOf(field(1, "id", "int"))]));
  expect(made.steps.map(({ kind }) => kind)).toEqual(["add-field"]);
  expect(made.notes.map(({ code }) => code)).toContain("renamed-from-not-found");
});
