// Requirements against metadata, by the rules of the REST spec; the reasons say what is there instead.
import { describe, expect, it } from "vitest";
import { checkRequirement, checkRequirements } from "../../src/iceberg/check-requirement.ts";
import type { TableRequirement } from "../../src/iceberg/table-requirement.ts";
import { readFile } from "./metadata-support.ts";

const metadata = readFile("v2-two-schemas.metadata.json");
const CURRENT = 3055729675574597004n;

describe("checkRequirement", () => {
  it.each<TableRequirement>([
    { type: "assert-table-uuid", uuid: "9C12D441-03FE-4693-9A96-A0705DDF69C1" },
    { type: "assert-ref-snapshot-id", ref: "main", snapshotId: CURRENT },
    { type: "assert-ref-snapshot-id", ref: "audit", snapshotId: null },
    { type: "assert-ref-snapshot-id", ref: "constructor", snapshotId: null },
    { type: "assert-last-assigned-field-id", lastAssignedFieldId: 3 },
    { type: "assert-current-schema-id", currentSchemaId: 1 },
    { type: "assert-last-assigned-partition-id", lastAssignedPartitionId: 1000 },
    { type: "assert-default-spec-id", defaultSpecId: 0 },
    { type: "assert-default-sort-order-id", defaultSortOrderId: 3 },
  ])("holds: %o", (requirement) => {
    expect(checkRequirement(requirement, metadata)).toBeNull();
  });

  it.each<[TableRequirement, string]>([
    [{ type: "assert-create" }, "The table exists already"],
    [{ type: "assert-table-uuid", uuid: "x" }, "The table's uuid is 9c12d441-03fe-4693-9a96-a0705ddf69c1, expected x"],
    [{ type: "assert-ref-snapshot-id", ref: "main", snapshotId: 1n }, `The branch "main" is at snapshot ${CURRENT}, expected 1`],
    [
      { type: "assert-ref-snapshot-id", ref: "main", snapshotId: null },
      `The branch "main" exists already, at snapshot ${CURRENT}`,
    ],
    [
      { type: "assert-ref-snapshot-id", ref: "audit", snapshotId: 1n },
      'There is no branch or tag "audit", expected one at snapshot 1',
    ],
    [{ type: "assert-last-assigned-field-id", lastAssignedFieldId: 2 }, "The last assigned field id is 3, expected 2"],
    [{ type: "assert-current-schema-id", currentSchemaId: 0 }, "The current schema id is 1, expected 0"],
    [
      { type: "assert-last-assigned-partition-id", lastAssignedPartitionId: 999 },
      "The last assigned partition field id is 1000, expected 999",
    ],
    [{ type: "assert-default-spec-id", defaultSpecId: 1 }, "The default partition spec id is 0, expected 1"],
    [{ type: "assert-default-sort-order-id", defaultSortOrderId: 0 }, "The default sort order id is 3, expected 0"],
  ])("does not hold: %o", (requirement, reason) => {
    expect(checkRequirement(requirement, metadata)).toBe(reason);
  });

  it("of a table that is not there only asks for that", () => {
    expect(checkRequirement({ type: "assert-create" }, null)).toBeNull();
    expect(checkRequirement({ type: "assert-current-schema-id", currentSchemaId: 0 }, null)).toBe("The table does not exist");
  });
});

describe("checkRequirements", () => {
  it("gives every reason in order", () => {
    const requirements: TableRequirement[] = [
      { type: "assert-default-spec-id", defaultSpecId: 1 },
      { type: "assert-current-schema-id", currentSchemaId: 1 },
      { type: "assert-create" },
    ];
    expect(checkRequirements(requirements, metadata)).toEqual([
      "The default partition spec id is 0, expected 1",
      "The table exists already",
    ]);
    expect(checkRequirements([], null)).toEqual([]);
  });
});
