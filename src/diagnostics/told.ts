// One voice for every why and mend, whoever worded them: they begin as a sentence does and end without a full stop, so
// that a format may let another follow. Pure.

/** A first word that is plain prose: no name of the product, no key or path that a person could type. */
const PLAIN_START = /^(?!floeplan\b)[a-z]+(?:'s)?(?=[ ,])/;

export function told(sentence: string): string {
  const text = /[^.…]\.$/.test(sentence) ? sentence.slice(0, -1) : sentence;
  return PLAIN_START.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
}

/** The parts that were given, told. */
export function toldParts(parts: { readonly why?: string; readonly mend?: string }): {
  readonly why?: string;
  readonly mend?: string;
} {
  return {
    ...(parts.why === undefined ? {} : { why: told(parts.why) }),
    ...(parts.mend === undefined ? {} : { mend: told(parts.mend) }),
  };
}
