// The conformance files replayed: every case must end as the reference implementation ends it. One is written from its
// tests, the other one holds what random evolutions found (the interop suite "evolution").
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "../../scripts/conformance-json.ts";
import { replayCase } from "../../scripts/conformance-replay.ts";
import { isJsonObject, type JsonObject } from "../../src/iceberg/json.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";

function casesOf(file: string): readonly JsonObject[] {
  const document = parseJson(readFileSync(resolve(import.meta.dirname, "../data/iceberg", file)));
  return isJsonObject(document) && Array.isArray(document["cases"]) ? document["cases"].filter(isJsonObject) : [];
}

describe.each([
  ["conformance.json", 320],
  ["evolution-found.json", 29],
])("%s", (file, count) => {
  const cases = casesOf(file);

  it(`has its ${count} cases`, () => {
    expect(cases).toHaveLength(count);
  });

  it.each(cases.map((one): [string, JsonObject] => [textOf(one, "name"), one]))("%s", (_, one) => {
    const verdict = replayCase(one);
    expect(verdict.right ? "right" : verdict.difference).toBe("right");
  });
});
