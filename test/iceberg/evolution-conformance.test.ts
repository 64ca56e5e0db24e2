// The conformance file replayed: every case must end as the reference implementation ends it.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "../../scripts/conformance-json.ts";
import { replayCase } from "../../scripts/conformance-replay.ts";
import { isJsonObject, type JsonObject } from "../../src/iceberg/json.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";

const document = parseJson(readFileSync(resolve(import.meta.dirname, "../data/iceberg/conformance.json")));
const cases: readonly JsonObject[] =
  isJsonObject(document) && Array.isArray(document["cases"]) ? document["cases"].filter(isJsonObject) : [];

describe("the conformance file", () => {
  it("has its 320 cases", () => {
    expect(cases).toHaveLength(320);
  });

  it.each(cases.map((one): [string, JsonObject] => [textOf(one, "name"), one]))("%s", (_, one) => {
    const verdict = replayCase(one);
    expect(verdict.right ? "right" : verdict.difference).toBe("right");
  });
});
