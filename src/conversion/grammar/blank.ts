// The blanks that `trim` takes away: space, tab, line feed, vertical tab, form feed, carriage return. Unicode's
// other white space (no-break space, ideographic space …) is not among them: engines disagree about it.

/** Of a byte or UTF-16 unit. */
export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || (code !== undefined && code >= 0x09 && code <= 0x0d);
}

export function hasBlanksAround(text: string): boolean {
  return text !== "" && (isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1)));
}
