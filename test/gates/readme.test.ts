// README.md, action.yml and docs/action.md say what the tables in src/ say: `npm run docs` writes them.
import { existsSync, readFileSync } from "node:fs";
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

describe("files that the documents name", () => {
  const ROOMS =
    /(?<![\w/.-])(?:(?:src|test|scripts|docs|examples)\/|(?:action|apply|catalog|cli|commands|conversion|desired|diagnostics|forge|iceberg|lint|parquet|plan|report|rewrite|storage)\/)[\w./-]+\.\w+/g;

  it.each(["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/security.md", "docs/testing.md", "docs/reliability.md"])(
    "are there: %s",
    (file) => {
      const named = readFileSync(resolve(ROOT, file), "utf8").match(ROOMS) ?? [];
      const isThere = (path: string): boolean => existsSync(resolve(ROOT, path)) || existsSync(resolve(ROOT, "src", path));
      expect(named.filter((path) => !path.includes("NAME") && !isThere(path))).toEqual([]);
    },
  );
});
