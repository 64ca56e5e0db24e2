// Every diagnostic code has its heading in docs/diagnostics.md, and every heading is a code.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CODES } from "../../src/diagnostics/codes.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/diagnostics.md"), "utf8");
const body = page.slice(0, page.indexOf("## Tool errors"));

describe("docs/diagnostics.md", () => {
  it("explains every code once", () => {
    const headings = [...body.matchAll(/^### (\S+)$/gm)].map((match) => match[1] ?? "");
    expect([...headings].sort()).toEqual(Object.keys(CODES).sort());
  });

  it("says something under every heading", () => {
    const empty = body
      .split(/^### /m)
      .slice(1)
      .filter((part) => part.split("\n").slice(1).join("").trim().length < 80)
      .map((part) => part.split("\n")[0]);
    expect(empty).toEqual([]);
  });
});
