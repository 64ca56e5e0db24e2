// Refuses what YAML can and a table file must not: anchors, aliases, tags, merge keys, directives, second documents,
// equal keys, keys that are no text. Each with what to write instead.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../words.ts";
import type { Composed } from "./compose-tree.ts";
import type { Lexeme } from "./lexemes.ts";
import { isInside, placeAt, placeOf, type SourceText, type Span } from "./source-text.ts";
import type { YamlNode } from "./tree.ts";

/** What the lexemes show. Aliases that a trap has explained already are left out. */
export function refuseFeatures(
  source: SourceText,
  lexemes: readonly Lexeme[],
  secondDocument: number | null,
  explained: readonly Span[],
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const lexeme of lexemes) {
    if (lexeme.kind !== "anchor" && lexeme.kind !== "alias" && lexeme.kind !== "tag" && lexeme.kind !== "directive") continue;
    if (isInside(explained, lexeme.start)) continue;
    found.push(refuseLexeme(source, lexeme));
  }
  if (secondDocument !== null) {
    const at = lexemes.find((lexeme) => lexeme.kind === "document" && lexeme.start >= secondDocument) ?? lexemes.at(-1);
    found.push(
      diagnostic("yaml-documents-refused", {
        what: "Cannot read a second document in one file",
        why: "A file declares one table, or one group of columns",
        mend: "Move what stands below --- to a file of its own",
        place: placeAt(source, at?.start ?? secondDocument, at?.end),
      }),
    );
  }
  return found;
}

function refuseLexeme(source: SourceText, lexeme: Lexeme): Diagnostic {
  const place = placeOf(source, lexeme);
  switch (lexeme.kind) {
    case "tag":
      return diagnostic("yaml-tag-refused", {
        what: `Cannot use the tag ${quoted(lexeme.text)}`,
        why: "The written text counts; tags would change what it means",
        mend: "Remove the tag, or put the value in quotes if the text is meant",
        place,
      });
    case "directive":
      return diagnostic("yaml-directive-refused", {
        what: `Cannot use the directive ${quoted(lexeme.text)}`,
        why: "Table files are YAML 1.2 and nothing else",
        mend: "Remove the line",
        place,
      });
    default:
      return diagnostic("yaml-alias-refused", {
        what: `Cannot use the ${lexeme.kind} ${quoted(lexeme.text)}`,
        why: "A line would then mean what another line says, and a review would not show it",
        mend: "Write the value out, put it in quotes if the text is meant, or share columns as a group: `- use: NAME`",
        place,
      });
  }
}

/** What the tree shows: equal keys, merge keys, keys that are lists or maps. Misread text shows no keys. */
export function refuseKeys(source: SourceText, composed: Composed, misread: readonly Span[]): Diagnostic[] {
  const found: Diagnostic[] = composed.badKeys.map((span) =>
    diagnostic("key-not-text", {
      what: "Cannot use a list or a map as a key",
      mend: "Write the key as text; put braces in quotes if they belong to the text",
      place: placeOf(source, span),
    }),
  );
  const visit = (node: YamlNode): void => {
    if (node.kind === "list") node.items.forEach(visit);
    if (node.kind !== "map") return;
    const seen = new Map<string, Span>();
    for (const { key, value } of node.entries) {
      if (isInside(misread, key.start)) continue;
      const before = seen.get(key.text);
      if (before !== undefined) found.push(equalKeys(source, key.text, key, before));
      else if (key.text === "<<" && key.style === "plain") found.push(mergeKey(source, key));
      seen.set(key.text, before ?? key);
      visit(value);
    }
  };
  if (composed.root !== null) visit(composed.root);
  return found;
}

function equalKeys(source: SourceText, key: string, span: Span, before: Span): Diagnostic {
  return diagnostic("duplicate-key", {
    what: `Cannot use key ${quoted(key)} twice in one map`,
    why: `It stands on line ${placeAt(source, before.start).line} already, and readers differ in which one counts`,
    mend: "Remove one of them",
    place: placeOf(source, span),
  });
}

function mergeKey(source: SourceText, span: Span): Diagnostic {
  return diagnostic("yaml-merge-refused", {
    what: 'Cannot use the merge key "<<"',
    why: "YAML 1.2 has none, and a review would not show what it brings",
    mend: "Write the keys out, or share columns as a group: `- use: NAME`",
    place: placeOf(source, span),
  });
}
