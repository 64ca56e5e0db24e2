// One table file a case. A line that a rule must find ends with `#: RULE`; a first line `#: lint …` sets the rules.
// Every finding must stand on such a line, and no such line may go without.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "./support.ts";

const FOLDER = join(import.meta.dirname, "cases");

describe("the lint rules", () => {
  it.each(readdirSync(FOLDER))("find in %s what its remarks say, and nothing else", (file) => {
    const text = readFileSync(join(FOLDER, file), "utf8");
    const lines = text.split("\n");
    const setting = /^#: lint (.*)$/.exec(lines[0] ?? "")?.[1];
    const wanted = lines.flatMap((line, at) => {
      const code = /\S #: (\S+)$/.exec(line)?.[1];
      return code === undefined ? [] : [`${at + 1} ${code}`];
    });
    const found = lint({ "tables/case.yaml": text }, setting);
    expect(found.map((one) => `${one.place?.line} ${one.code}`).sort()).toEqual([...wanted].sort());
    expect(found.every((one) => one.place?.file === "tables/case.yaml" && one.place.column > 0)).toBe(true);
  });
});
