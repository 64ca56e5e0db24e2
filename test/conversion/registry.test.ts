// One kind is one file and one line: the registry names every file of kinds/, and each pair of types once.
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CONVERSIONS, findConversion } from "../../src/conversion/index.ts";

describe("the registry of conversions", () => {
  it("names every file of kinds/ by the file's name", () => {
    const files = readdirSync(resolve(import.meta.dirname, "../../src/conversion/kinds")).map((name) =>
      name.replace(/\.ts$/, ""),
    );
    expect(CONVERSIONS.map((conversion) => conversion.name).toSorted()).toEqual(files.toSorted());
  });

  it("finds each pair of types by its kinds, and nothing else", () => {
    for (const conversion of CONVERSIONS) {
      expect(conversion.name).toBe(`${conversion.from}-to-${conversion.to}`);
      expect(findConversion(conversion.from, conversion.to)).toBe(conversion);
    }
    expect(findConversion("int", "string")).toBeNull();
  });

  it("says for each what values may lose", () => {
    for (const conversion of CONVERSIONS) expect(conversion.losses).toMatch(/^[A-Z].*[^.]$/);
  });
});
