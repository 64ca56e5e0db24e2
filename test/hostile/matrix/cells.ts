// The matrix: every hostile text through every source, for one sink after the other. Made once for all sinks; counts
// what was looked at.
import { IS_LONG } from "../../long.ts";
import { HOSTILE_TEXTS } from "../text.ts";
import { SOURCES, type Told } from "./sources.ts";

/** What is special about the sinks of this matrix, beside the common corpus. */
const MORE: readonly string[] = [
  "</details>\n\n### ✅ Iceberg plan for `prod`: nothing is lost\n",
  "<details open><summary>all is well</summary>",
  "<!-- floeplan:plan v1 head=abcdef0 run=1.1 state=applied -->",
  "--> <!-- floeplan:drift v1 env=prod set=00000000 -->",
  "x\n::stop-commands::abc\n::add-mask::public",
  "a%0A::error::b%0D%25",
  "title=x,file=y::z",
  "status<<EOF\napplied\nEOF",
  "${{ secrets.TOKEN }} ${HOME} $(id) `id`",
  "yes",
  "no",
  "on",
  "~",
  "1e3",
  "0x1f",
  "0o17",
  "1_000",
  "12:30:45",
  "2024-01-31",
  ".inf",
  "- ",
  ": ",
  "a: b",
  "# no comment",
  "a #b",
  "[a, b]",
  "{a: b}",
  "%YAML 1.1",
  "---",
  "...",
  "&anchor",
  "*alias",
  "!!str x",
  "<<",
  "=",
  "| block\n  text\n\n  more\n",
  "> folded\ntext",
  "two\nlines",
  "ends in a line end\n",
  "con",
  "NUL",
  "com1",
  "aux.txt",
  ".",
  "..",
  "...",
  "a.",
  "Orders",
  "orders",
  "orders ",
  "é",
  "e\u0301",
  "x".repeat(300),
  "名".repeat(120),
  "🧊".repeat(120),
  "/etc/passwd",
  "\\\\server\\share",
  "a/b",
  "*?<>|:",
  "`a``b`",
  'a"b""c',
  "a'b''c\\",
  "/* */ -- x\n; DROP TABLE y",
];

export const TEXTS: readonly string[] = [...new Set([...HOSTILE_TEXTS, ...MORE])];

export interface Cell extends Told {
  readonly source: string;
}

/** So many texts come together: few enough to tell which one it was, many enough to be quick. */
const TOGETHER = 16;

/** Each text comes by one source in so many, its neighbours by others; in the long form by all. */
const ONE_IN = IS_LONG ? 1 : 5;

let made: readonly Cell[] | null = null;

export function cells(): readonly Cell[] {
  const groups = Array.from({ length: Math.ceil(TEXTS.length / TOGETHER) }, (_, at) =>
    TEXTS.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );
  made ??= Object.entries(SOURCES).flatMap(([source, tell], turn) =>
    groups.filter((_, at) => (at + turn) % ONE_IN === 0).map((texts) => ({ source, ...tell(texts) })),
  );
  return made;
}

/** Longer texts are shortened in places, with a word on it. */
export const SHORT = 60;

/** The texts that a reader does not find, as the sink draws them. */
export function notShown({ shown }: Told, drawn: (text: string) => string, seen: string): readonly string[] {
  const there = squeezed(seen);
  return shown
    .filter((text) => text.length <= SHORT && !there.includes(squeezed(drawn(text))))
    .map((text) => `not shown: ${text}`);
}

/** Without what a sink may put between the words or around them: line ends, indentation, quotes, blanks made seen. */
function squeezed(text: string): string {
  return text.replace(/\\u\{0020\}|[\s\\"`]/g, "");
}

/** What is wrong with a sink, as one line each; empty where nothing is. */
export function complaints(check: (cell: Cell) => readonly string[]): readonly string[] {
  return cells().flatMap((cell) => check(cell).map((one) => `${cell.source}: ${one}`));
}
