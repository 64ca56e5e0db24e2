// Plan JSON against its schema, with an independent validator, and what `apply --plan` reads of it.
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/plan.ts";
import { renderJson, writeJson } from "../../src/report/formats/json.ts";
import { readPlanJson } from "../../src/report/formats/plan-json-read.ts";
import { planReport } from "../../src/report/plan-report.ts";
import { HOSTILE_TEXTS } from "../hostile/text.ts";
import { hostilePlan } from "./hostile-plan.ts";
import * as plans from "./plans.ts";

const schema: unknown = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../schemas/plan.schema.json"), "utf8"));
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema as object);

function json(plan: Plan): string {
  const asked = { environmentNamed: true, selectors: [], excluded: [], changedSince: null };
  return renderJson(planReport(plan, { asked, sources: plans.sources, verbose: false }));
}

function complaints(text: string): unknown {
  validate(JSON.parse(text));
  return validate.errors ?? [];
}

/** Keys of objects that the schema describes with `properties`, and that it does not name. */
function undescribed(value: unknown, at: Schema, path = ""): string[] {
  const here = resolveSchema(at);
  if (Array.isArray(value))
    return here.items === undefined ? [] : value.flatMap((one) => undescribed(one, here.items ?? {}, `${path}[]`));
  if (typeof value !== "object" || value === null || here.properties === undefined) return [];
  const described = here.properties;
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = described[key];
    return next === undefined ? [`${path}.${key}`] : undescribed(inner, next, `${path}.${key}`);
  });
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const root = schema as Schema;

function resolveSchema(at: Schema): Schema {
  const choice = at.anyOf?.[0] ?? at;
  const name = choice.$ref?.replace("#/$defs/", "");
  return name === undefined ? choice : (root.$defs?.[name] ?? {});
}

const goldens = {
  sample: plans.samplePlan,
  blocked: plans.blockedPlan,
  drift: plans.driftPlan,
  notes: plans.notesPlan,
  "several-tables": plans.severalTablesPlan,
} as const;

describe("plan JSON", () => {
  it.each(Object.entries(goldens))("is what the schema says and reads well: %s", async (name, plan) => {
    const text = json(plan);
    expect(complaints(text)).toEqual([]);
    expect(undescribed(JSON.parse(text), root)).toEqual([]);
    await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, "goldens", `${name}.json`));
  });

  it("describes every key in its schema", () => {
    const missing: string[] = [];
    const walk = (at: Schema, path: string): void => {
      for (const [key, inner] of Object.entries(at.properties ?? {})) {
        if ((inner.description ?? "").length < 5) missing.push(`${path}.${key}`);
        walk(inner, `${path}.${key}`);
      }
      if (at.items !== undefined) walk(at.items, `${path}[]`);
      for (const [key, inner] of Object.entries(at.$defs ?? {})) walk(inner, key);
    };
    walk(root, "");
    expect(missing).toEqual([]);
  });

  it("writes 64-bit numbers as strings", () => {
    expect(json(plans.samplePlan)).toContain('"rows-with-a-value": "41203118"');
    expect(writeJson({ id: 9_223_372_036_854_775_807n })).toBe('{\n  "id": "9223372036854775807"\n}\n');
  });

  it("is valid, one value and free of unseen characters for every hostile plan", () => {
    fc.assert(
      fc.property(hostilePlan(), (plan) => {
        const text = json(plan);
        expect(complaints(text)).toEqual([]);
        expect(text).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|##\[/);
        expect(text.split("\n").filter((line) => line.trimStart().startsWith("::"))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps every text that holds no secret", () => {
    for (const text of HOSTILE_TEXTS.filter((one) => !/AKIA|hunter2|X-Amz/.test(one)).map((one) =>
      one.replace(/\p{Cs}/gu, "?"),
    )) {
      expect(JSON.parse(writeJson({ value: text }))).toEqual({ value: text });
    }
  });

  it("takes secrets out value by value and stays JSON", () => {
    const text = writeJson({
      a: 'password=hunter2"} and more',
      "s3.secret-access-key": "wJalrXUtnFEMI/K7MDENG bPxRfiCYEXAMPLEKEY",
      b: ["AKIAIOSFODNN7EXAMPLE"],
    });
    expect(JSON.parse(text)).toEqual({ a: 'password=****"} and more', "s3.secret-access-key": "****", b: ["AKIA****"] });
  });
});

describe("reading a plan file", () => {
  it("finds the reviewed steps", () => {
    expect(readPlanJson(json(plans.samplePlan), "plan.json")).toEqual({
      environment: "prod",
      planFingerprint: plans.samplePlan.fingerprint,
      tables: [
        {
          table: "sales.orders",
          fingerprint: plans.ID(0x1234abcd),
          steps: [1, 2, 3, 4].map((number) => ({ id: plans.ID(number) })),
        },
      ],
    });
  });

  it("leaves alone what a later version adds", () => {
    const later: Record<string, unknown> = { ...JSON.parse(json(plans.samplePlan)), "added-later": { x: 1 } };
    expect(readPlanJson(`\uFEFF${JSON.stringify(later)}`, "plan.json")).toMatchObject({ environment: "prod" });
  });

  const whole = (): Record<string, unknown> => JSON.parse(json(plans.samplePlan)) as Record<string, unknown>;
  it.each([
    ["not JSON", "{", "It is not JSON"],
    ["a list", "[]", "The document must be an object"],
    ["another version", JSON.stringify({ ...whole(), floeplan: 2 }), "`floeplan` must be 1; it is 2"],
    ["no version", JSON.stringify({ tables: [] }), "`floeplan` must be 1; it is missing"],
    ["no tables", JSON.stringify({ ...whole(), tables: null }), "`tables` must be a list"],
    ["a short fingerprint", JSON.stringify({ ...whole(), fingerprint: "c40e7718" }), '64 hexadecimal digits; it is "c40e7718"'],
    ["a step without id", json(plans.samplePlan).replaceAll('"id": "0', '"di": "0'), "`tables[0].steps[0].id` must be 64"],
    [
      "a table twice",
      JSON.stringify({ ...whole(), tables: [(whole()["tables"] as unknown[])[0], (whole()["tables"] as unknown[])[0]] }),
      'Table "sales.orders" is in it twice',
    ],
    ["very deep nesting", `${"[".repeat(200_000)}`, "It is not JSON"],
    ["an empty file", "", "It is not JSON"],
  ])("refuses %s", (_name, text, why) => {
    const answer = readPlanJson(text, "reviewed.json");
    expect(answer).toMatchObject({ code: "plan-file-invalid", severity: "error", what: 'Cannot read "reviewed.json" as a plan' });
    expect("why" in answer ? answer.why : "").toContain(why);
  });

  it("answers for any text, never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.constantFrom(...HOSTILE_TEXTS)), (text) => {
        expect(readPlanJson(text, "x")).toMatchObject({ code: "plan-file-invalid" });
      }),
    );
  });

  it.each(["floeplan", "environment", "fingerprint", "tables"])("answers for %s that is nested without end", (key) => {
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const members = ['"floeplan":1', '"environment":"dev"', `"fingerprint":"${"a".repeat(64)}"`, '"tables":[]'];
    const text = `{${members.map((one) => (one.startsWith(`"${key}"`) ? `"${key}":[${nested}]` : one)).join(",")}}`;
    expect(readPlanJson(text, "plan.json")).toMatchObject({ code: "plan-file-invalid" });
  });

  it("reads back what was written, for every hostile plan", () => {
    fc.assert(
      fc.property(hostilePlan(), (plan) => {
        const names = plan.tables.map((table) => table.table);
        const answer = readPlanJson(json(plan), "x");
        if (new Set(names).size < names.length || names.includes("") || plan.environment === "") return;
        expect("tables" in answer ? answer.tables.map((table) => table.steps.map((step) => step.id)) : answer).toEqual(
          plan.tables.map((table) => table.steps.map((step) => step.id)),
        );
      }),
      { numRuns: 40 },
    );
  });
});
