// README.md, action.yml and docs/action.md say what the tables in src/ say: `npm run docs` writes them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { GENERATED_FILES } from "../../scripts/generated-files.ts";

const ROOT = resolve(import.meta.dirname, "../..");

describe("files made from tables", () => {
  it.each(GENERATED_FILES)("holds $file as it is today", ({ file, today }) => {
    const text = readFileSync(resolve(ROOT, file), "utf8");
    expect(today(text)).toBe(text);
  });

  it("names the two commands that do all in README.md", () => {
    const text = readFileSync(resolve(ROOT, "README.md"), "utf8");
    expect(text).toContain("npm ci && npm run demo");
    expect(text).toContain("npm ci && npm test");
  });
});
