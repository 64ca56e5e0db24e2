// Reads one file as YAML 1.2: a tree with positions, or findings with their place. Refuses what would make a table
// file mean two things (aliases, tags, merge keys, second documents, equal keys). Knows no key's meaning.
import { type Diagnostic, diagnostic, hasErrors, type TextEdit } from "../diagnostics/diagnostic.ts";
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_FINDINGS } from "./limits.ts";
import { knownKeys } from "./schema/schemas.ts";
import { findTraps } from "./traps/find-traps.ts";
import { composeTree } from "./yaml/compose-tree.ts";
import { indentationFinding } from "./yaml/indentation.ts";
import { refuseFeatures, refuseKeys } from "./yaml/refusals.ts";
import { type Lexed, readLexemes } from "./yaml/lexemes.ts";
import { lineIndex, placeAt, type SourceText, type Span } from "./yaml/source-text.ts";
import { readQuickly } from "./yaml/quick-tree.ts";
import { syntaxFinding } from "./yaml/syntax-words.ts";
import type { YamlNode } from "./yaml/tree.ts";

export interface ParsedYaml {
  readonly source: SourceText;
  /** Null where the file cannot be read as a whole. */
  readonly root: YamlNode | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Text that YAML reads as something else than its author meant; told in `diagnostics`. */
  readonly misread: readonly Span[];
  /** What mends all of it, also where there are too many to be told. */
  readonly mends: readonly TextEdit[];
}

/** Signs below the blank but tab and line end, and carriage returns that end no line. */
// oxlint-disable-next-line no-control-regex -- these are the signs that are looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/;

export function parseYaml(source: SourceText): ParsedYaml {
  const quick = readQuickly(source.text);
  if (quick !== null) return { source, root: quick, diagnostics: [], misread: [], mends: [] };
  return parseWholeYaml(source);
}

/** The same by the library, with everything that can be wrong. */
export function parseWholeYaml(source: SourceText): ParsedYaml {
  const refused = refuseText(source);
  if (refused !== null) return unreadable(source, [refused]);
  const lexed = readLexemes(source.text);
  if (lexed.stopped !== null) return unreadable(source, [stoppedWords(source, lexed.stopped)]);
  const composed = composeTree(lexed.tokens, source.text);
  const traps = findTraps(source, lexed.lexemes, composed.faults.length > 0, knownKeys());
  if (composed.faults.length + composed.badKeys.length > 0 && !hasErrors(traps.diagnostics)) {
    const indentation = indentationFinding(source, lexed.lexemes, composed.badKeys);
    if (indentation !== null) return { ...unreadable(source, [indentation]), mends: traps.edits };
  }
  const refusals = [
    ...refuseFeatures(source, lexed.lexemes, composed.secondDocument, traps.spans),
    ...refuseKeys(source, composed, traps.spans),
  ];
  const diagnostics = [...traps.diagnostics, ...refusals.slice(0, MAX_FINDINGS)];
  const fault = syntaxFinding(source, composed.faults, lexed.lexemes);
  if (fault !== null) {
    // A trap or a refusal explains the parser's fault, which then stands at the wrong line and only misleads.
    if (!hasErrors(diagnostics)) diagnostics.push(fault);
    return { source, root: null, diagnostics, misread: traps.spans, mends: traps.edits };
  }
  if (composed.root === null) {
    const what = "Cannot read this file: there is nothing in it";
    return unreadable(source, [
      ...diagnostics,
      diagnostic("file-empty", { what, mend: "Fill it or remove it", place: placeAt(source, 0) }),
    ]);
  }
  return { source, root: composed.root, diagnostics, misread: traps.spans, mends: traps.edits };
}

function unreadable(source: SourceText, diagnostics: readonly Diagnostic[]): ParsedYaml {
  return { source, root: null, diagnostics, misread: [], mends: [] };
}

function refuseText(source: SourceText): Diagnostic | null {
  if (source.text.length > MAX_FILE_BYTES) {
    return diagnostic("file-too-large", {
      what: `Cannot read this file: it has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`,
      mend: "Split it; one file declares one table",
      place: placeAt(source, 0),
    });
  }
  const control = CONTROL.exec(source.text);
  if (control === null) return null;
  const code = control[0].charCodeAt(0).toString(16).padStart(4, "0").toUpperCase();
  return diagnostic("control-character", {
    what: `Cannot read this file: it holds the control character U+${code}`,
    why: "No reader of YAML accepts it, and no editor shows it",
    mend: `Remove it from line ${lineIndex(source, control.index) + 1}; in a name or a text write "\\u${code.toLowerCase()}" in double quotes`,
    place: placeAt(source, control.index, control.index + 1),
  });
}

function stoppedWords(source: SourceText, stopped: NonNullable<Lexed["stopped"]>): Diagnostic {
  const place = placeAt(source, stopped.at);
  return stopped.why === "too-deep"
    ? diagnostic("file-too-deep", {
        what: `Cannot read this file: it is nested more than ${MAX_DEPTH} deep`,
        mend: "Check for brackets that are never closed",
        place,
      })
    : diagnostic("file-too-large", {
        what: "Cannot read this file: it holds too many values",
        mend: "Split it; one file declares one table",
        place,
      });
}
