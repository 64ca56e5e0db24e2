// What the check of an apply says on a pull request, by how each of its tables ended.
import { describe, expect, it } from "vitest";
import { endFor } from "../../src/action/apply-outputs.ts";
import { type Outcome, tableResult } from "../../src/apply/result.ts";
import { plainText } from "../../src/report/text.ts";

const TABLES = new Set(["sales.orders", "sales.refunds"]);

function end(outcomes: Readonly<Record<string, Outcome>>): readonly [boolean, string] {
  const results = Object.entries(outcomes).map(([table, outcome]) => tableResult(table, outcome, null));
  const { good, headline } = endFor(TABLES, results, "prod");
  return [good, plainText(headline)];
}

describe("the check of an apply on a pull request", () => {
  it.each<[Readonly<Record<string, Outcome>>, boolean, string]>([
    [{ "sales.orders": "applied", "sales.refunds": "applied", "web.clicks": "failed" }, true, "Applied to prod: 2 tables"],
    [{ "sales.orders": "applied", "sales.refunds": "in-step" }, true, "Applied to prod: 2 tables"],
    [{ "sales.orders": "applied", "sales.refunds": "left" }, true, "Applied to prod: 1 table"],
    [{ "sales.orders": "left", "sales.refunds": "left" }, true, "Left to another run in prod: 2 tables"],
    [{ "sales.orders": "applied", "sales.refunds": "conflict" }, false, "Not all is applied to prod"],
  ])("goes by its own tables alone: %j", (outcomes, good, headline) => {
    expect(end(outcomes)).toEqual([good, headline]);
  });

  it("is no success where an interrupted run did not come to a table, or to any", () => {
    expect(end({ "sales.orders": "applied" })).toEqual([false, "Not all is applied to prod"]);
    expect(end({ "web.clicks": "applied" })).toEqual([false, "Not all is applied to prod"]);
  });
});
