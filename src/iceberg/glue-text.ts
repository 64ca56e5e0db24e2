// Texts as Glue takes them: its one-line and many-line patterns (API model), and what a comment becomes so that it
// fits. The full text stays in the metadata; only Glue's copy is folded and cut.

const MAX_COMMENT = 255;
const MAX_DESCRIPTION = 2048;

// The pattern of single-line texts: no controls but the tab, no half surrogates, no U+FFFE and U+FFFF.
const SINGLE_LINE = /^[\t\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
const NOT_IN_LINE = /[^\t\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const NOT_IN_TEXT = /[^\t\r\n\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export function isSingleLine(text: string): boolean {
  return SINGLE_LINE.test(text);
}

/** A column's comment: one line of at most 255 characters. */
export function glueComment(doc: string): string {
  const lines = doc.split(/[\r\n]+/);
  const line =
    lines.length === 1
      ? doc
      : lines
          .map((one) => one.trim())
          .filter((one) => one !== "")
          .join(" ");
  return cut(line.replace(NOT_IN_LINE, replaceCharacter), MAX_COMMENT);
}

/** A table's description: at most 2,048 characters, line breaks allowed. */
export function glueDescription(comment: string): string {
  return cut(comment.replace(NOT_IN_TEXT, replaceCharacter), MAX_DESCRIPTION);
}

// A control character separates; half of a character is shown as one that could not be read.
function replaceCharacter(character: string): string {
  return character < " " ? " " : "\u{FFFD}";
}

// Counted in UTF-16 units: never more than Glue counts, whichever way it does.
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const last = head.charCodeAt(head.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? head.slice(0, -1) : head}…`;
}
