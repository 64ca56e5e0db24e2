// dist/ is committed so that the program runs right after the checkout: it must be what the sources build.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { whenBuilt } from "../program/built.ts";

const { program: BUILT } = await whenBuilt();
const DIST = resolve(import.meta.dirname, "../../dist");

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

describe("dist/", () => {
  it("is what the sources build (npm run build)", () => {
    expect(filesOf(DIST)).toEqual(filesOf(BUILT));
    for (const name of filesOf(DIST))
      expect(readFileSync(join(DIST, name)).equals(readFileSync(join(BUILT, name))), name).toBe(true);
  });

  it("is executable", () => {
    expect(statSync(join(DIST, "index.js")).mode & 0o111).toBe(0o111);
    expect(readFileSync(join(DIST, "index.js"), "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
  });
});
