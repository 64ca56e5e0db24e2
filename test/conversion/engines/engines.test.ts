// The answers of Trino and Spark to our SQL, recorded by the scripts in this folder, against our own functions. When the
// SQL or the page changes, the recorded questions differ and must be asked anew (questions.ts says how).
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Converted } from "../../../src/conversion/conversion.ts";
import type { PrimitiveType } from "../../../src/iceberg/type.ts";
import { pageCases, printValue } from "../page.ts";
import { converter } from "../rules.ts";
import { pageRules, pairOf, questionOf } from "./questions.ts";

interface Recorded {
  readonly engine: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly answers: readonly {
    readonly sql: string;
    readonly values: readonly (string | null)[];
    readonly fails: readonly boolean[];
  }[];
}

const DATA = resolve(import.meta.dirname, "../../data/conversion");
const rules = pageRules();

/** Their text of a value in the form of the page. */
function normalize(text: string, type: PrimitiveType): string {
  switch (type.kind) {
    case "double":
      return printValue(Number(text), type);
    case "timestamp": {
      const [day = "", time = ""] = text.split(" ");
      const [seconds = "", fraction = ""] = time.split(".");
      return `${day}T${seconds}.${fraction.padEnd(6, "0")}`;
    }
    case "timestamptz":
      return /^-?\d+$/.test(text) ? printValue(BigInt(text), type) : text.replace(" ", "T").replace(" UTC", "Z");
    default:
      return text;
  }
}

function ours(converted: Converted, type: PrimitiveType): string | null {
  return "failure" in converted || converted.value === null ? null : printValue(converted.value, type);
}

describe.each(["trino", "spark"] as const)("the answers of %s", (engine) => {
  const recorded: Recorded = JSON.parse(readFileSync(resolve(DATA, `${engine}.json`), "utf8"));

  it("are to the SQL of today", () => {
    expect(recorded.answers.map((answer) => answer.sql)).toEqual(rules.map((one) => questionOf(one)[engine]));
  });

  it("are to every text of the page", () => {
    const missing = pageCases().filter((one) => !(recorded.values[pairOf(one)] ?? []).includes(String(one.value)));
    expect(missing.map((one) => one.line)).toEqual([]);
  });

  it.each(rules.map((one, index) => ({ ...one, index, name: `${one.conversion} ${JSON.stringify(one.rule)}` })))(
    "equal ours: $name",
    ({ from, to, rule, index }) => {
      const values = recorded.values[pairOf({ from, to })] ?? [];
      const answer = recorded.answers[index];
      const bound = converter(to, rule, from);
      const said = values.map((text) => ({ text, converted: bound.convert(from.kind === "long" ? BigInt(text) : text) }));
      expect(said.map(({ text, converted }) => [text, ours(converted, to), "failure" in converted])).toEqual(
        values.map((text, place) => {
          const value = answer?.values[place] ?? null;
          return [text, value === null ? null : normalize(value, to), answer?.fails[place]];
        }),
      );
    },
  );

  it("hold values and nulls in plenty", () => {
    const all = recorded.answers.flatMap((answer) => answer.values);
    expect(all.filter((value) => value !== null).length).toBeGreaterThan(500);
    expect(all.filter((value) => value === null).length).toBeGreaterThan(2000);
  });
});
