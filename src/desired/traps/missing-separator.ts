// Finds keys of ours that YAML does not see as keys: a comma missing before one (`{ name: a type: int }`), or the
// blank missing behind its colon (`{ name: a, type:int }`).
import { quoted } from "../words.ts";
import type { Group } from "./segments.ts";
import { saidParts, type Trap, type TrapContext, type TrapFinder } from "./trap.ts";
import { isMissingComma } from "./unquoted-value.ts";

export const findMissingSeparators: TrapFinder = (groups, context) =>
  groups.flatMap((group) => [...findMissingCommas(group, context), ...findMissingBlanks(group, context)]);

function findMissingCommas(group: Group, context: TrapContext): Trap[] {
  if (group.style !== "map") return [];
  return group.segments.flatMap((segment) => {
    const { key, value } = saidParts(segment);
    const [first, colon] = value;
    if (key === null || first === undefined || colon?.kind !== "colon" || !isMissingComma(key, first, context)) return [];
    const at = first.start + (/(?<!\s)\s+\S+$/.exec(first.text)?.index ?? 0);
    const word = first.text.slice(at - first.start).trim();
    return [
      {
        code: "missing-comma",
        severity: "error",
        at,
        start: at,
        end: at,
        replacement: ",",
        what: `Cannot read key ${quoted(word)}: a comma is missing before it`,
        why: "Keys inside {} are separated by commas",
        mend: `Write a comma before ${quoted(word)}`,
      },
    ];
  });
}

/** `word:text` where `word` is a key of ours, at the start of a segment or of a line that continues a value. */
const GLUED = /(^|\n[ \t]+)([A-Za-z][\w-]*):(?=[^\s:/])/g;

function findMissingBlanks(group: Group, context: TrapContext): Trap[] {
  return group.segments.flatMap((segment) => {
    const { key, value } = saidParts(segment);
    const first = value[0];
    if (first?.kind !== "plain" || group.style === "list") return [];
    return [...first.text.matchAll(GLUED)].flatMap((match): Trap[] => {
      const [whole, lead = "", word = ""] = match;
      // At the start of a value it is the value's own text; the first line of a segment without key is the key itself.
      if (!context.keys.has(word) || (lead === "" && (key !== null || value.length > 1))) return [];
      const end = first.start + match.index + whole.length;
      return [
        {
          code: "missing-blank",
          severity: "error",
          at: end - word.length - 1,
          start: end,
          end,
          replacement: " ",
          what: `Cannot read key ${quoted(word)}: a blank is missing after its colon`,
          why: "Without a blank YAML takes the colon for a part of the text",
          mend: `Write a blank after "${word}:"`,
        },
      ];
    });
  });
}
