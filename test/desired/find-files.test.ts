// Globs and the listing of files: what matches, what is never entered, and that no link leads out of the project.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { findFiles } from "../../src/desired/find-files.ts";
import { matchesPath, mayMatchBelow, parsePathGlob } from "../../src/desired/glob.ts";
import { writeProject } from "./project-support.ts";

const folder = mkdtempSync(join(tmpdir(), "floeplan-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLACE = { file: "floeplan.yaml", line: 1, column: 1 };

function matches(pattern: string, path: string): boolean {
  const glob = parsePathGlob(pattern);
  if ("why" in glob) throw new Error(glob.why);
  return matchesPath(glob, path.split("/"));
}

describe("a glob", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["tables/**/*.yaml", "tables/a.yaml", true],
    ["tables/**/*.yaml", "tables/a/b/c.yaml", true],
    ["tables/**/*.yaml", "shared/a.yaml", false],
    ["tables/*.yaml", "tables/a/b.yaml", false],
    ["**/*.yaml", "a.yaml", true],
    ["**", "a/b/c", true],
    ["a/**/b/**/c", "a/x/b/y/z/c", true],
    ["a/**/b/**/c", "a/b/c", true],
    ["a/**/b/**/c", "a/c/b", false],
    ["t?.yaml", "t1.yaml", true],
    ["t?.yaml", "t12.yaml", false],
    ["*.{yaml,yml}", "a.yml", true],
    ["{a,b}/{c,d}.yaml", "b/c.yaml", true],
    ["{a,b}/{c,d}.yaml", "b/e.yaml", false],
    ["./tables/a.yaml", "tables/a.yaml", true],
    ["*", ".hidden", false],
    ["**/*.yaml", ".github/a.yaml", false],
    [".github/*.yaml", ".github/a.yaml", true],
    ["a*b*c", "aXXbYYc", true],
    ["a*b*c", "aXXbYY", false],
    ["[ab].yaml", "[ab].yaml", true],
  ];
  for (const [pattern, path, expected] of cases) {
    it(`${pattern} ${expected ? "matches" : "does not match"} ${path}`, () => {
      expect(matches(pattern, path)).toBe(expected);
    });
  }

  for (const pattern of ["/etc/*", "../*.yaml", "a/../../b", "C:\\tables\\*", "a{b", "a}b", "{a,{b}}", "{a,b}".repeat(12), ""]) {
    it(`is refused: ${JSON.stringify(pattern.slice(0, 20))}`, () => {
      expect(parsePathGlob(pattern)).toHaveProperty("why");
    });
  }

  it("agrees with Node's own matcher on plain names", () => {
    const name = fc.stringMatching(/^[ab*?]{1,4}$/);
    const part = fc.oneof(name, fc.constant("**"));
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 4 }),
        (pattern, path) => {
          // Node lets "**" inside a name cross folders; here it stays within it, as in every shell.
          fc.pre(pattern.every((one) => one === "**" || !one.includes("**")));
          if (typeof matchesGlob !== "function") return;
          expect(matches(pattern.join("/"), path.join("/"))).toBe(matchesGlob(path.join("/"), pattern.join("/")));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("enters every folder that holds a match", () => {
    const part = fc.oneof(fc.stringMatching(/^\.?[ab*?]{1,3}$/), fc.constant("**"));
    const path = fc.array(fc.stringMatching(/^\.?[ab]{1,3}$/), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), path, (pattern, names) => {
        const glob = parsePathGlob(pattern.join("/"));
        if ("why" in glob || !matchesPath(glob, names)) return;
        for (let length = 1; length < names.length; length++) expect(mayMatchBelow(glob, names.slice(0, length))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("takes linear time for stars that match nothing", () => {
    expect(matches(`${"*a".repeat(2000)}b`, "a".repeat(20_000))).toBe(false);
    expect(matches(`${"**/a/".repeat(500)}b`, "a/".repeat(5000) + "c")).toBe(false);
  });
});

describe("listing files", () => {
  it("sorts, and leaves out what is nobody's own", () => {
    const root = writeProject(folder, {
      "tables/b.yaml": "",
      "tables/a/z.yaml": "",
      "tables/a.txt": "",
      "node_modules/x/a.yaml": "",
      ".git/a.yaml": "",
    });
    expect(findFiles(root, ["**/*.yaml"], PLACE)).toEqual({ files: ["tables/a/z.yaml", "tables/b.yaml"], diagnostics: [] });
  });

  it("lists a file once, however many globs match it", () => {
    const root = writeProject(folder, { "tables/b.yaml": "" });
    expect(findFiles(root, ["**/*.yaml", "tables/*"], PLACE).files).toEqual(["tables/b.yaml"]);
  });

  it("follows no link out of the project, and says so", () => {
    const outside = writeProject(folder, { "secret.yaml": "token: x" });
    const root = writeProject(folder, { "tables/a.yaml": "" });
    symlinkSync(join(outside, "secret.yaml"), join(root, "tables/b.yaml"));
    symlinkSync(outside, join(root, "tables/c"));
    symlinkSync(join(root, "nowhere"), join(root, "tables/d.yaml"));
    const { files, diagnostics } = findFiles(root, ["tables/**/*.yaml"], PLACE);
    expect(files).toEqual(["tables/a.yaml"]);
    expect(diagnostics.map((one) => one.code)).toEqual(["link-leaves-project", "link-leaves-project", "link-leaves-project"]);
  });

  it("follows links inside the project once and walks no circle", () => {
    const root = writeProject(folder, { "tables/a.yaml": "", "more/b.yaml": "" });
    symlinkSync(join(root, "tables"), join(root, "tables/again"));
    symlinkSync(join(root, "more"), join(root, "tables/more"));
    const { files, diagnostics } = findFiles(root, ["tables/**/*.yaml"], PLACE);
    expect([files, diagnostics]).toEqual([["tables/a.yaml", "tables/more/b.yaml"], []]);
  });

  it("works where the project itself is reached by a link", () => {
    const root = writeProject(folder, { "tables/a.yaml": "" });
    symlinkSync(root, join(folder, "by-link"));
    expect(findFiles(join(folder, "by-link"), ["tables/*.yaml"], PLACE).files).toEqual(["tables/a.yaml"]);
  });

  it("tells a glob that leaves the project and lists the others", () => {
    const root = writeProject(folder, { "tables/a.yaml": "" });
    mkdirSync(join(root, "empty"));
    writeFileSync(join(root, "tables/b.yaml"), "");
    const { files, diagnostics } = findFiles(root, ["../**/*.yaml", "tables/*.yaml"], PLACE);
    expect([files, diagnostics.map((one) => one.code)]).toEqual([["tables/a.yaml", "tables/b.yaml"], ["glob-leaves-project"]]);
  });
});
