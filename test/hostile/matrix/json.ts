// JSON for machines: read back by JSON's own reader, every text is there letter by letter, secrets apart.
import { expect, it } from "vitest";
import { redact } from "../../../src/diagnostics/redact.ts";
import { renderJson } from "../../../src/report/formats/json.ts";
import { complaints } from "./cells.ts";

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

it("JSON holds every text as it is", () => {
  // Lone surrogates have no place in UTF-8.
  const whole = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");
  expect(
    complaints(({ report, shown, isInJson = true }) => {
      const texts = textsIn(JSON.parse(renderJson(report))).map(whole);
      return (isInJson ? shown : [])
        .filter((text) => !texts.some((one) => one.includes(whole(redact(text)))))
        .map((text) => `not there: ${text}`);
    }),
  ).toEqual([]);
});
