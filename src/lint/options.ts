// Reads a rule's options from the project file by their kinds, and tells what is wrong with each at its own spot.
// Knows no rule. After a rule has read its options, `rest` tells the keys that it did not ask for.
import type { LintSetting } from "../desired/project-config.ts";
import { type Diagnostic, diagnostic, type Place } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/near-spelling.ts";
import { type GlobSegment, isPathError, parseGlob } from "../iceberg/field-path.ts";
import { choices, quoted } from "./words.ts";

export interface OptionReader {
  /** One of the words; the first where the option is absent or wrong. */
  readonly oneOf: <W extends string>(key: string, words: readonly [W, ...W[]]) => W;
  /** False where absent or wrong. */
  readonly flag: (key: string) => boolean;
  /** A list of those words; empty where absent. */
  readonly someOf: <W extends string>(key: string, words: readonly W[]) => readonly W[];
  /** A list of names with `*`; empty where absent. */
  readonly globs: (key: string) => readonly (readonly GlobSegment[])[];
}

/** Null: the project file says nothing of the rule. */
export function optionReader(
  rule: string,
  setting: LintSetting | null,
): { readonly options: OptionReader; readonly rest: () => readonly Diagnostic[] } {
  const values = setting?.options ?? {};
  const asked: string[] = [];
  const found: Diagnostic[] = [];
  const take = (key: string): unknown => {
    asked.push(key);
    return Object.hasOwn(values, key) ? values[key] : undefined;
  };
  const place = (key: string): { readonly place?: Place } => {
    const spot = setting?.optionPlaces.get(key) ?? setting?.place;
    return spot === undefined ? {} : { place: spot };
  };
  const wrong = (key: string, value: unknown, wanted: string): void => {
    found.push(
      diagnostic("lint-option-malformed", {
        what: `Cannot use ${describe(value)} for option ${quoted(key)} of lint rule ${quoted(rule)}`,
        mend: `Write ${wanted}`,
        ...place(key),
      }),
    );
  };
  const texts = (key: string, wanted: string): readonly string[] => {
    const value = take(key);
    if (value === undefined) return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const named = items.filter((item) => typeof item === "string");
    if (named.length < items.length) wrong(key, value, wanted);
    return named;
  };
  const options: OptionReader = {
    oneOf: (key, words) => {
      const value = take(key);
      const known = words.find((word) => word === value);
      if (value !== undefined && known === undefined) wrong(key, value, nearOrAll(value, words));
      return known ?? words[0];
    },
    flag: (key) => {
      const value = take(key);
      if (value !== undefined && typeof value !== "boolean") wrong(key, value, "true or false");
      return value === true;
    },
    someOf: (key, words) =>
      texts(key, `a list of ${choices(words)}`).flatMap((text) => {
        const known = words.find((word) => word === text);
        if (known === undefined) wrong(key, text, nearOrAll(text, words));
        return known ?? [];
      }),
    globs: (key) =>
      texts(key, 'a list of names, with * for any characters: [ "_raw_*" ]').flatMap((text) => {
        const segments = parseGlob(text);
        if (!isPathError(segments)) return [segments];
        wrong(key, text, segments.mend === undefined ? "a name, with * for any characters" : `'${segments.mend}'`);
        return [];
      }),
  };
  const rest = (): readonly Diagnostic[] => [
    ...found,
    ...Object.keys(values)
      .filter((key) => !asked.includes(key))
      .map((key) =>
        diagnostic("lint-option-unknown", {
          what: `Unknown option ${quoted(key)} of lint rule ${quoted(rule)}`,
          mend:
            didYouMean(key, asked) ?? (asked.length === 0 ? "Remove it" : `Known options are ${asked.map(quoted).join(", ")}`),
          ...place(key),
        }),
      ),
  ];
  return { options, rest };
}

function nearOrAll(value: unknown, words: readonly string[]): string {
  const near = typeof value === "string" ? didYouMean(value, words) : undefined;
  return near === undefined ? choices(words) : `${choices(words)}. ${near}`;
}

function describe(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return "a list with other things than text";
  return typeof value === "object" && value !== null ? "a map" : String(value);
}
