// The record of a plan as text: read back as it was, and nothing in it can end its fence, hide or form markup.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type PlanRecord, readRecord, writeRecord } from "../../src/action/record.ts";
import { EFFECTS } from "../../src/plan/plan.ts";
import { hostileText } from "../hostile/text.ts";

const hash = fc.nat().map((number) => number.toString(16).padStart(64, "0"));
const record: fc.Arbitrary<PlanRecord> = fc
  .record({
    environment: hostileText(),
    fingerprint: hash,
    agreement: hash,
    tables: fc.array(fc.tuple(hostileText(), fc.array(fc.tuple(hash, fc.constantFrom(...EFFECTS))))),
  })
  .map(({ tables, ...rest }) => ({ ...rest, tables: new Map(tables.map(([name, steps]) => [name, new Map(steps)])) }));

it("is read back as it was, and is one fence of plain characters (T1, T21)", () => {
  fc.assert(
    fc.property(record, (one) => {
      const text = writeRecord(one);
      expect(readRecord(text)).toEqual(one);
      expect(text).toMatch(/^[\w ,.]+\n\n```json\n[^`<>&@#\n]*\n```$/);
      expect(text).toMatch(/^[\n -~]*$/);
    }),
    { numRuns: 200 },
  );
});
