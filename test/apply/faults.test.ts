// Every call of an apply fails in turn, before its effect and after it: the table stays readable, nothing of it is
// deleted, and a rerun ends in the same state (invariants I7 and I8).
import { beforeAll, describe, expect, it } from "vitest";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import type { Approval } from "../../src/apply/approval.ts";
import { apply, approvalOf, original, planOf, rowsOf, type World, world } from "./support.ts";

let source: Awaited<ReturnType<typeof original>>;
let approval: Approval;
let wanted: { readonly rows: unknown; readonly columns: readonly string[]; readonly calls: number };

/** Every call with FLOEPLAN_LONG=1; else every third, other ones for each kind of fault. */
const STRIDE = process.env["FLOEPLAN_LONG"] === undefined ? 3 : 1;

const columns = async ({ target }: World): Promise<readonly string[]> => {
  const live = await target.catalog.loadTable(target.spec.identifier);
  return live === null ? [] : currentSchema(live.metadata).fields.map((field) => `${field.id} ${field.name} ${field.type.kind}`);
};

beforeAll(async () => {
  source = await original();
  const quiet = await world(source);
  approval = await approvalOf(quiet.target);
  const start = quiet.faults.calls;
  expect((await apply(quiet.target, approval)).outcome).toBe("applied");
  const calls = quiet.faults.calls - start;
  wanted = { rows: await rowsOf(quiet), columns: await columns(quiet), calls };
});

describe("an apply that is cut", () => {
  it("makes a number of calls that is known, so that each is tried", () => {
    expect(wanted.calls).toBeGreaterThan(50);
    expect(wanted.calls).toBeLessThan(400);
  });

  it.each(["before", "after"] as const)("%s the effect of any call stays readable, and a rerun finishes it", async (fault) => {
    for (let call = fault === "before" ? 1 : 2; call <= wanted.calls; call += STRIDE) {
      const one = await world(source);
      const { faults, target } = one;
      Object.assign(faults, { failAt: faults.calls + call, fault, forever: true });
      const first = await apply(target, approval);
      expect(["failed", "unknown", "refused", "conflict", "applied", "differs"], `call ${call}`).toContain(first.outcome);
      faults.failAt = null;

      const before = await planOf(target);
      expect(before.plan.blockers, `call ${call}: readable`).toEqual([]);
      const second = await apply(target, approval);
      expect(
        ["applied", "in-step"],
        `call ${call}: ${JSON.stringify(second.problems)} ${String(second.error?.message)}`,
      ).toContain(second.outcome);
      expect(await columns(one), `call ${call}: columns`).toEqual(wanted.columns);
      expect((await planOf(target)).plan.steps, `call ${call}: plan empty`).toEqual([]);
    }
    // Rows are compared where the cut came late, when most was written.
    const late = await world(source);
    Object.assign(late.faults, { failAt: late.faults.calls + wanted.calls - 8, fault, forever: true });
    await apply(late.target, approval);
    late.faults.failAt = null;
    await apply(late.target, approval);
    expect(await rowsOf(late)).toEqual(wanted.rows);
  });

  it("by one failing call alone never loses the table", async () => {
    for (let call = 1; call <= wanted.calls; call += 4 * STRIDE) {
      const { faults, target } = await world(source);
      Object.assign(faults, { failAt: faults.calls + call, fault: "after", forever: false });
      await apply(target, approval);
      faults.failAt = null;
      expect((await planOf(target)).plan.blockers).toEqual([]);
      expect(["applied", "in-step"]).toContain((await apply(target, approval)).outcome);
    }
  });
});
