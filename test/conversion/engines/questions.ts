// What the engines are asked: the SQL of every rule on the page, over every text of the page for that type and some
// hundred more. Run alone it prints the questions as JSON; ask-spark.py and ask-trino.py turn them into test data:
//   npx tsx test/conversion/engines/questions.ts > questions.json
//   python ask-trino.py http://127.0.0.1:8080 < questions.json > test/data/conversion/trino.json
//   python ask-spark.py < questions.json > test/data/conversion/spark.json
import { pathToFileURL } from "node:url";
import { failureSql } from "../../../src/conversion/failure-sql.ts";
import { findConversion } from "../../../src/conversion/index.ts";
import type { Conversion } from "../../../src/conversion/conversion.ts";
import type { ConversionRule } from "../../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../../src/iceberg/type.ts";
import { type PageCase, pageCases } from "../page.ts";

export interface Question {
  readonly from: PrimitiveType;
  readonly to: PrimitiveType;
  readonly rule: ConversionRule;
  readonly spark: string;
  readonly trino: string;
  readonly sparkFails: string;
  readonly trinoFails: string;
}

interface Questions {
  /** Texts (or numbers as text) for each `from-to` pair. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly questions: readonly Question[];
}

export function questionOf(one: Pick<PageCase, "from" | "to" | "rule">): Question {
  const conversion = conversionOf(one);
  const value = conversion.sql(one.rule, one.from, one.to, "c");
  const fails = failureSql(conversion, one.rule, one.from, one.to, "c");
  return {
    from: one.from,
    to: one.to,
    rule: one.rule,
    spark: value.spark ?? "NULL",
    trino: value.trino ?? "NULL",
    sparkFails: fails.spark ?? "NULL",
    trinoFails: fails.trino ?? "NULL",
  };
}

export function pairOf(one: Pick<PageCase, "from" | "to">): string {
  return `${one.from.kind}-to-${one.to.kind}`;
}

/** Every rule of the page once for each type. */
export function pageRules(): PageCase[] {
  const seen = new Set<string>();
  return pageCases().filter((one) => {
    const key = JSON.stringify([one.from, one.to, { ...one.rule, onError: "fail" }]);
    return !seen.has(key) && seen.add(key);
  });
}

function conversionOf(one: Pick<PageCase, "from" | "to">): Conversion {
  const conversion = findConversion(one.from.kind, one.to.kind);
  if (conversion === null) throw new Error(`No conversion ${pairOf(one)}`);
  return conversion;
}

const CHARACTERS = Array.from("0123456789 \t\n\r\v\f+-.:/TZeE,_'\\$\u0000\u00a0\u0660\u212aäx");
const MUTANTS_PER_PAIR = 150;

/** The texts of the page, and texts one slip away from them: a character changed, dropped, doubled or put in. */
function valuesOf(pair: string): string[] {
  const page = pageCases().filter((one) => pairOf(one) === pair);
  const texts = new Set(page.map((one) => String(one.value)));
  if (pair.startsWith("string-")) {
    const random = fixedRandom(pair.length * 7919);
    const seeds = [...texts].filter((text) => text.length > 0);
    for (let count = 0; count < MUTANTS_PER_PAIR; count++) {
      const text = seeds[random(seeds.length)] ?? "";
      const place = random(text.length + 1);
      const character = CHARACTERS[random(CHARACTERS.length)] ?? "";
      const kept = random(3) === 0 ? place : place + 1;
      texts.add(text.slice(0, place) + (random(4) === 0 ? "" : character) + text.slice(kept));
    }
  }
  return [...texts];
}

/** The same numbers on every machine and in every version of every library: a xorshift of 32 bits. */
function fixedRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function allQuestions(): Questions {
  const rules = pageRules();
  const pairs = [...new Set(rules.map(pairOf))];
  return { values: Object.fromEntries(pairs.map((pair) => [pair, valuesOf(pair)])), questions: rules.map(questionOf) };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${JSON.stringify(allQuestions())}\n`);
}
