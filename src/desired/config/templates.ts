// Templates of namespaces and locations: text with `{namespace}` and `{table}` for the declared names. Checked when
// the file is read, filled for each table.
import { type Reading, report } from "../reading.ts";
import { choices, quoted } from "../words.ts";
import type { Span } from "../yaml/source-text.ts";

export type Placeholder = "namespace" | "table";

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** False after a finding: a placeholder that does not exist, or a brace that is none. */
export function checkTemplate(
  reading: Reading,
  span: Span,
  template: string,
  allowed: readonly Placeholder[],
  subject: string,
): boolean {
  const wrong = [...template.matchAll(PLACEHOLDER)].find(([, name]) => !allowed.some((one) => one === name));
  const isBroken = /[{}]/.test(template.replace(PLACEHOLDER, ""));
  if (wrong === undefined && !isBroken) return true;
  report(reading, "template-malformed", span, {
    what: `Cannot use ${quoted(template)} as ${subject}`,
    why: wrong === undefined ? "A brace is not closed, or not opened" : `There is no placeholder ${quoted(wrong[0])}`,
    mend: `Write ${choices(allowed.map((name) => `{${name}}`))} for what differs`,
  });
  return false;
}

/**
 * Namespace levels after the template. Dots of the template separate levels; levels of the declared namespace stay
 * whole, also where a name holds a dot: `{namespace}_dev` makes `[a, b.c]` to `[a, b.c_dev]`.
 */
export function fillNamespace(template: string, namespace: readonly string[]): readonly string[] {
  const levels: string[] = [""];
  const append = (text: string): void => {
    levels[levels.length - 1] = (levels.at(-1) ?? "") + text;
  };
  const pieces = template.split("{namespace}");
  pieces.forEach((piece, index) => {
    const [first = "", ...more] = piece.split(".");
    append(first);
    levels.push(...more);
    if (index === pieces.length - 1) return;
    namespace.forEach((level, depth) => {
      if (depth === 0) append(level);
      else levels.push(level);
    });
  });
  return levels;
}

/** Namespace levels become folders. */
export function fillLocation(template: string, namespace: readonly string[], table: string): string {
  return template.replaceAll("{namespace}", () => namespace.join("/")).replaceAll("{table}", () => table);
}
