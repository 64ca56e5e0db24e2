// Outputs of the step and the record in a check run: an output is safe in a shell and in a file of delimiters; a record is
// one fence of JSON that comes back as it was.
import { expect, it } from "vitest";
import { planOutputs, planVerdict } from "../../../src/action/plan-outputs.ts";
import { readRecord, writeRecord } from "../../../src/action/record.ts";
import { nodesOf, parseMarkdown } from "../../report/markdown-tree.ts";
import { plan as wholePlan } from "../../report/plans.ts";
import { unseenIn } from "../../action/harmless.ts";
import { complaints, TEXTS } from "./cells.ts";

it("outputs are words, numbers and digits, whatever the plan is about", () => {
  expect(
    complaints(({ plans }) => {
      const plan = wholePlan(...plans);
      const { status, reason } = planVerdict({ ...plan, failed: [] }, []);
      const values = Object.entries({ ...planOutputs(plan), status, reason }).map(([name, value]) => `${name}=${String(value)}`);
      return values.filter((one) => !/^[a-z-]+=[A-Za-z0-9._-]*$/.test(one));
    }),
  ).toEqual([]);
});

it("a record of hostile names is one fence, and comes back as it was", () => {
  const steps = new Map([["a".repeat(64), "metadata" as const]]);
  const tables = new Map(
    TEXTS.filter((text) => !/\p{Cs}/u.test(text.replace(/[\u{10000}-\u{10ffff}]/gu, ""))).map((text) => [text, steps]),
  );
  const record = { environment: "prod", fingerprint: "b".repeat(64), agreement: "c".repeat(64), tables };
  const text = writeRecord(record);
  expect(unseenIn(text)).toEqual([]);
  expect(nodesOf(parseMarkdown(text)).map(({ type }) => type)).toEqual(["root", "paragraph", "text", "code"]);
  expect([...(readRecord(text)?.tables.keys() ?? [])]).toEqual([...tables.keys()]);
});
