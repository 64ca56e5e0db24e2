// `fmt`: a few rules over a file as it stands, by text splices. What no rule names stays byte for byte. Formatting
// twice changes nothing more. The rules are told in docs/table-files.md.
import type { TextEdit } from "../diagnostics/diagnostic.ts";
import { readGroup } from "./declaration/read-group.ts";
import { readTable } from "./declaration/read-table.ts";
import { styleEdits } from "./format-style.ts";
import { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
import { applyEdits, type Edit } from "./yaml/apply-edits.ts";
import { type SourceText, sourceText } from "./yaml/source-text.ts";
import { findValue } from "./yaml/tree.ts";

/** Mending one thing can show the next; real files need two or three rounds. */
const MAX_ROUNDS = 20;

/** The text with everything mended that has one right answer: quotes that are missing, other systems' type names. */
export function mendYaml(source: SourceText): string {
  let { text } = source;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const edits = mends(sourceText(source.file, text));
    if (edits.length === 0) return text;
    text = applyEdits(text, edits);
  }
  return text;
}

/** The text by all rules of `fmt`. A file that is no YAML comes back with its mends only. */
export function formatYaml(source: SourceText): string {
  let text = mendYaml(source);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { root } = parseYaml(sourceText(source.file, text));
    const edits = root === null ? [] : styleEdits(text, root);
    if (edits.length === 0) return text;
    text = applyEdits(text, edits);
  }
  return text;
}

function mends(source: SourceText): readonly Edit[] {
  const parsed = parseYaml(source);
  const edits: readonly TextEdit[] = [...parsed.mends, ...findings(parsed).flatMap((one) => one.edits ?? [])];
  const seen = new Set<string>();
  const apart: Edit[] = [];
  let end = -1;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const key = `${edit.start}-${edit.end}`;
    // Of two mends of one spot the next round takes the other, if it still applies.
    if (seen.has(key) || edit.start < end) continue;
    seen.add(key);
    apart.push(edit);
    end = edit.end;
  }
  return apart;
}

/** Findings with edits that need no other file: groups and environments are left unknown. */
function findings(parsed: ParsedYaml): ReturnType<typeof readTable>["diagnostics"] {
  const { root } = parsed;
  if (root?.kind !== "map") return [];
  if (findValue(root, "columns-of") !== undefined) return readGroup(parsed, []).diagnostics;
  return findValue(root, "table") === undefined ? [] : readTable(parsed, { groups: new Map(), environments: [] }).diagnostics;
}
