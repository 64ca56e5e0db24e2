// Names of imported tables: the declared namespace behind a live one, and the path of the new file. Knows templates
// and globs of the project, reads nothing.
import { createHash } from "node:crypto";
import { fillNamespace } from "../desired/config/templates.ts";
import { matchesPath, parsePathGlob, type PathGlob } from "../desired/glob.ts";
import type { ProjectConfig } from "../desired/project-config.ts";

const PLACEHOLDER = "{namespace}";

/**
 * The declared namespace that the template turns into this one; null where there is none. A template without a
 * placeholder makes one namespace of all: then the live one stands for itself.
 */
export function declaredNamespace(template: string | null, live: readonly string[]): readonly string[] | null {
  if (template === null) return live;
  const fills = (namespace: readonly string[]): boolean => sameLevels(fillNamespace(template, namespace), live);
  const places = template.split(PLACEHOLDER).length - 1;
  if (places === 0) return fills(live) ? live : null;
  const before = template.slice(0, template.indexOf(PLACEHOLDER)).split(".");
  const head = before.at(-1) ?? "";
  const first = before.length - 1;
  // The template's own dots make levels; each placeholder adds one less than the namespace has.
  const own = template.split(".").length;
  const depth = (live.length - own) / places + 1;
  if (!Number.isInteger(depth) || depth < 1) return null;
  const levels = live.slice(first, first + depth);
  const [top = "", last = ""] = [levels[0], levels.at(-1)];
  if (levels.length < depth || !top.startsWith(head)) return null;
  const start = head.length;
  for (let end = last.length; end > (depth === 1 ? start : 0); end--) {
    const cut = [...levels];
    cut[depth - 1] = last.slice(0, end);
    cut[0] = (cut[0] ?? "").slice(start);
    if (fills(cut)) return cut;
  }
  return null;
}

function sameLevels(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((level, index) => level === b[index]);
}

/**
 * `tables/<namespace>/<table>.yaml`, in the folder and with the ending that `tables:` of the project looks for; flat
 * where it looks into no folders. Null where no such path is matched. A twin, whose path differs from another's in case
 * alone, is marked: one folder of a checkout on macOS or Windows cannot hold both.
 */
export function pathFor(config: Pick<ProjectConfig, "tables">, name: readonly string[], isTwin = false): string | null {
  const globs = config.tables.flatMap((pattern) => {
    const glob = parsePathGlob(pattern);
    return "why" in glob ? [] : [glob];
  });
  const words = fileWords(name, isTwin);
  for (const folder of foldersOf(globs)) {
    for (const rest of [words, [flatWord(words)]]) {
      for (const ending of [".yaml", ".yml"]) {
        const path = [...folder, ...rest.slice(0, -1), `${rest.at(-1) ?? ""}${ending}`];
        if (globs.some((glob) => matchesPath(glob, path))) return path.join("/");
      }
    }
  }
  return null;
}

/** The usual path, where there is no project to match. */
export function usualPath(name: readonly string[], isTwin = false): string {
  return `tables/${fileWords(name, isTwin).join("/")}.yaml`;
}

function fileWords(name: readonly string[], isTwin: boolean): readonly string[] {
  const words = name.map(fileWord);
  return isTwin ? [...words.slice(0, -1), marked(words.at(-1) ?? "", JSON.stringify(name))] : words;
}

/** `tables` first, then the names before the first wild one of each glob. */
function foldersOf(globs: readonly PathGlob[]): readonly (readonly string[])[] {
  const written = globs.flatMap((glob) =>
    glob.alternatives.map((names) => {
      const wild = names.findIndex((one) => /[*?]/.test(one));
      return names.slice(0, wild < 0 ? names.length - 1 : wild);
    }),
  );
  return [["tables"], ...written];
}

/** Bytes of one name in a path; file systems take 255, and flat projects put several into one. */
const LONGEST_WORD = 100;

function flatWord(words: readonly string[]): string {
  const word = words.join(".");
  return Buffer.byteLength(word) <= 2 * LONGEST_WORD ? word : marked(word, word);
}

/** Windows opens a device under these names, whatever their ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The name itself where it holds letters and digits only; else without the signs that a shell, a glob or a file system
 * reads, and with a mark that tells it from its likes.
 */
function fileWord(name: string): string {
  const word = name
    .replace(/[^\p{L}\p{N}._-]/gu, "_")
    .replace(/^[.-]+|\.+$/g, (signs) => "_".repeat(signs.length))
    .replace(DEVICE, "_$&");
  return word === name && Buffer.byteLength(word) <= LONGEST_WORD ? word : marked(word, name);
}

/** Two that were cut or cleaned to the same stay apart. */
function marked(word: string, name: string): string {
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${startOf(word, LONGEST_WORD)}-${mark}`;
}

/** As many whole characters as so many bytes hold. */
function startOf(word: string, bytes: number): string {
  let start = "";
  for (const character of word) {
    if (Buffer.byteLength(start + character) > bytes) break;
    start += character;
  }
  return start;
}
