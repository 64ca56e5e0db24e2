// The tables of the README are those of the command table: `npm run docs` writes them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { withTables } from "../../scripts/readme-tables.ts";

const README = resolve(import.meta.dirname, "../../README.md");

describe("README.md", () => {
  it("holds the tables of today's commands, options and exit codes", () => {
    const text = readFileSync(README, "utf8");
    expect(withTables(text)).toBe(text);
  });

  it("names the two commands that do all", () => {
    const text = readFileSync(README, "utf8");
    expect(text).toContain("npm ci && npm run demo");
    expect(text).toContain("npm ci && npm test");
  });
});
