// A newer format version and a conversion in one apply: the snapshot is one of the new version.
import { expect, it } from "vitest";
import { currentSnapshot } from "../../src/iceberg/table-metadata.ts";
import { apply, approvalOf, original, planOf, rowsOf, type World, world } from "./support.ts";

async function converted(formatVersion?: 3): Promise<World> {
  const made = await world(original());
  const { spec } = made.target;
  const one = { ...made, target: { ...made.target, spec: formatVersion === undefined ? spec : { ...spec, formatVersion } } };
  const { outcome, error } = await apply(one.target, await approvalOf(one.target));
  expect([outcome, error]).toEqual(["applied", null]);
  return one;
}

it("from version 2 to 3 gives every live row an id, and the same rows as without", async () => {
  const [plain, upgraded] = [await converted(), await converted(3)];
  expect(await rowsOf(upgraded)).toEqual(await rowsOf(plain));
  const live = await upgraded.catalog.loadTable(upgraded.target.spec.identifier);
  if (live === null) throw new Error("the table is gone");
  const { metadata } = live;
  // Specification, "Row Lineage": the ids of a snapshot's rows begin at the table's next-row-id, which grows by them.
  expect([metadata.formatVersion, metadata.nextRowId]).toEqual([3, 1607n]);
  expect(currentSnapshot(metadata)).toMatchObject({ firstRowId: 0n, addedRows: 1607n });
  expect((await planOf(upgraded.target)).plan.steps).toEqual([]);
});
