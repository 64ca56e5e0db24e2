// What the plan tells somebody who meets a refusal for the first time: what is true of the data, and what to write.
import { describe, expect, it } from "vitest";
import type { PreflightCounts } from "../../src/conversion/preflight.ts";
import { planTable } from "../../src/plan/plan-table.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "./facts.ts";
import { field, inputOf, metadataOf, plan, schemaOf } from "./support.ts";

const table = (column: string): string => `table: ns.t\ncolumns:\n  - { ${column} }\n`;
const text = metadataOf([schemaOf(field(1, "a", "string"))], SNAPSHOT);

describe("a column that is to be required", () => {
  it.each([
    [4n, 'Cannot make "a" required: rows hold null', "4 of 10 rows are null"],
    [null, 'Cannot make "a" required: it is not proved that no row holds null', "Some live files hold no null count for it"],
  ])("with %s nulls", (nulls, what, why) => {
    const counts = { files: 1, values: 10n, nulls, sizeBytes: 100n };
    const evidence = { ...PLAIN_EVIDENCE, fields: new Map([[1, counts]]) };
    const { blockers } = plan(table("name: a, type: string, required: true"), text, { evidence }).plan;
    expect(blockers).toMatchObject([{ code: "required-unproved", what, why }]);
  });
});

describe("text that is to be a date", () => {
  it("without a rule: says the rule, and that a format may be needed", () => {
    const [blocker] = plan(table("name: a, type: date"), text).plan.blockers;
    expect(blocker?.mend).toContain("`convert: { from: string, on-error: fail }`, with `format:` where the text is not ISO 8601");
    const [other] = plan(table("name: a, type: int"), text).plan.blockers;
    expect(other?.mend).not.toContain("format");
  });

  it.each([
    ["", "not-in-format", true],
    [", format: yyyyMMdd", "not-in-format", false],
    ["", "empty", false],
  ] as const)("by a rule{from: string%s} that %s stops: asks for the format, or does not", (format, reason, asks) => {
    const counts: PreflightCounts = {
      values: 10n,
      nulls: 0n,
      becomeNull: 0n,
      failures: new Map([[reason, 3n]]),
      losses: new Map(),
      files: 1,
      bytesRead: 1,
    };
    const yaml = table(`name: a, type: date, convert: { from: string${format} }`);
    const input = inputOf(yaml, text, { evidence: PLAIN_EVIDENCE });
    const [blocker] = planTable({ ...input, preflight: new Map([[1, counts]]) }).plan.blockers;
    expect(blocker?.code).toBe("conversion-values-fail");
    expect(blocker?.mend?.startsWith("Say the `format:`")).toBe(asks);
  });
});

describe("a partition field under its usual name", () => {
  it("is told without the name", () => {
    const live = metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"))], {
      "partition-specs": [
        {
          "spec-id": 0,
          fields: [
            { "source-id": 1, "field-id": 1000, name: "a", transform: "identity" },
            { "source-id": 2, "field-id": 1001, name: "b_bucket", transform: "bucket[4]" },
            { "source-id": 2, "field-id": 1002, name: "shelf", transform: "truncate[1]" },
          ],
        },
      ],
      "default-spec-id": 0,
      "last-partition-id": 1002,
    });
    const columns = "table: ns.t\ncolumns:\n  - { name: a, type: string }\n  - { name: b, type: string }\n";
    const [step] = plan(`${columns}partition-by: []\n`, live).plan.steps;
    expect(step?.text.change).toBe("a, bucket(4, b), truncate(1, b) as shelf → none");
  });
});
