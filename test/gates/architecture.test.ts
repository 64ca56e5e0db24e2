// Reads the imports of src/ and holds the rules of docs/architecture.md: only downward, no circles of
// files, pure rooms stay pure, libraries only where they belong, registries name every file, sizes.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { LIBRARIES, MAX_LINES, PURE_BANNED, REGISTRIES, ROOMS } from "./rules.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SRC = join(ROOT, "src");

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly { readonly specifier: string; readonly typeOnly: boolean }[];
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => {
    const text = readFileSync(join(SRC, name), "utf8");
    return { path: name, room: name.includes("/") ? (name.split("/")[0] ?? "") : "", text, imports: importsOf(text) };
  });

function importsOf(text: string): SourceFile["imports"] {
  const found: { specifier: string; typeOnly: boolean }[] = [];
  for (const match of text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  )) {
    found.push({ specifier: match[2] ?? match[3] ?? match[4] ?? "", typeOnly: match[1] !== undefined });
  }
  return found;
}

function roomOf(file: SourceFile, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  const target = relative(SRC, resolve(SRC, dirname(file.path), specifier));
  if (target.startsWith("..")) return null;
  return target.includes("/") ? (target.split("/")[0] ?? "") : "";
}

describe("the rooms of src/", () => {
  it("are all known", () => {
    const rooms = new Set(files.map((file) => file.room).filter((room) => room !== ""));
    expect([...rooms].filter((room) => ROOMS[room] === undefined)).toEqual([]);
  });

  it("import only downward", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const rule = ROOMS[file.room];
      if (rule === undefined) continue;
      for (const { specifier, typeOnly } of file.imports) {
        const room = roomOf(file, specifier);
        if (room === null || room === file.room) continue;
        const allowed = rule.mayImport.includes(room) || (typeOnly && rule.mayImportTypes?.includes(room) === true);
        if (!allowed) wrong.push(`${file.path} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("hold no files that import each other in a circle, be it for a type", () => {
    const names = new Map(files.map((file) => [file.path, file]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: SourceFile, way: readonly string[]): void => {
      if (way.includes(file.path)) circles.push([...way.slice(way.indexOf(file.path)), file.path].join(" → "));
      if (way.includes(file.path) || done.has(file.path)) return;
      for (const { specifier } of file.imports) {
        const target = names.get(relative(SRC, resolve(SRC, dirname(file.path), specifier)));
        if (specifier.startsWith(".") && target !== undefined) visit(target, [...way, file.path]);
      }
      done.add(file.path);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("stay pure where they say so", () => {
    const wrong: string[] = [];
    for (const file of files.filter((one) => ROOMS[one.room]?.pure === true)) {
      for (const { specifier } of file.imports) {
        if (PURE_BANNED.modules.some((banned) => specifier === banned || specifier.startsWith(`${banned}/`))) {
          wrong.push(`${file.path} imports ${specifier}`);
        }
      }
      const code = file.text.replace(/\/\/.*$/gm, "");
      for (const banned of PURE_BANNED.words) if (banned.test(code)) wrong.push(`${file.path} uses ${banned.source}`);
    }
    expect(wrong).toEqual([]);
  });

  it("use a library only where it belongs", () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const { specifier } of file.imports) {
        for (const [library, places] of Object.entries(LIBRARIES)) {
          if (
            (specifier === library || specifier.startsWith(`${library}/`)) &&
            !places.some((place) => file.path.startsWith(place))
          ) {
            wrong.push(`${file.path} imports ${specifier}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("register every file of a registry folder", () => {
    const missing: string[] = [];
    for (const { folder, registry, except } of REGISTRIES) {
      const list = files.find((file) => file.path === registry);
      for (const file of files.filter((one) => dirname(one.path) === folder && one.path !== registry)) {
        const name = file.path.slice(folder.length + 1);
        if (except.includes(name)) continue;
        if (list === undefined || !list.imports.some(({ specifier }) => specifier.endsWith(`/${name}`)))
          missing.push(`${file.path} is not in ${registry}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it("hold small files that say what they know", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const lines = file.text.split("\n").length;
      if (lines > MAX_LINES) wrong.push(`${file.path} has ${lines} lines`);
      if (!file.text.startsWith("//")) wrong.push(`${file.path} does not open with what it knows`);
    }
    expect(wrong).toEqual([]);
  });

  it("have no default exports and no barrels", () => {
    const wrong = files.filter((file) => /^export default|^export \* from/m.test(file.text)).map((file) => file.path);
    expect(wrong).toEqual([]);
  });
});
