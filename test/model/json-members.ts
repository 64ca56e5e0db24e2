// The members of a JSON object as the very texts that stand in it, read without a parser of the product's.

/** Raw text of each top-level member's value. */
export function membersOf(document: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = document.indexOf("{") + 1;
  for (;;) {
    const quote = document.indexOf('"', at);
    if (quote < 0) return members;
    const end = endOfText(document, quote);
    const name = JSON.parse(document.slice(quote, end)) as string;
    const start = document.indexOf(":", end) + 1;
    const stop = endOfValue(document, start);
    members.set(name, document.slice(start, stop).trim());
    if (document[stop] !== ",") return members;
    at = stop + 1;
  }
}

/** Without blanks between tokens. */
export function squeezed(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

function endOfText(document: string, quote: number): number {
  let at = quote + 1;
  while (document[at] !== '"') at += document[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The comma or brace behind the value. */
function endOfValue(document: string, start: number): number {
  let depth = 0;
  for (let at = start; at < document.length; at++) {
    const character = document[at];
    if (character === '"') at = endOfText(document, at) - 1;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth < 0 || (depth === 0 && character === ",")) return at;
  }
  return document.length;
}
