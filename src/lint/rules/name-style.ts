// Names that are not written in the project's style. A name that is live cannot simply be written another way: the
// mend says what keeps a column's data, and that a table keeps its name.
import { formatPath, isPathError, matchesGlob, parsePath } from "../../iceberg/field-path.ts";
import type { TableSpec } from "../../desired/table-spec.ts";
import { fieldsOf } from "../declared-fields.ts";
import { fitsStyle, inStyle, STYLE_NAMES, type StyleName } from "../name-styles.ts";
import type { Finding, LintRule } from "../rule.ts";
import { quoted } from "../words.ts";

export const NAME_STYLE: LintRule = {
  name: "name-style",
  level: "off",
  prepare: (options) => {
    const style = options.oneOf("pattern", STYLE_NAMES);
    const except = options.globs("except");
    const isExcept = (names: readonly string[]): boolean => except.some((glob) => matchesGlob(glob, names));
    return (specs) =>
      specs.flatMap((spec) => [
        ...tableName(spec, style, isExcept),
        ...fieldNames(spec, style, isExcept),
        ...partitionNames(spec, style, isExcept),
      ]);
  },
};

type IsExcept = (names: readonly string[]) => boolean;

function tableName(spec: TableSpec, style: StyleName, isExcept: IsExcept): readonly Finding[] {
  const levels = parsePath(spec.name);
  if (isPathError(levels) || isExcept(levels)) return [];
  const wrong = levels.filter((level) => !fitsStyle(level, style) && !isExcept([level]));
  if (wrong.length === 0) return [];
  const better = levels.map((level) => (wrong.includes(level) ? inStyle(level, style) : level));
  const known = better.every((level) => level !== null) ? better : null;
  return [
    {
      what: `Table ${quoted(spec.name)} is not named in ${style}`,
      mend: `${known === null ? `Name a new table in ${style}` : `Name a new table ${quoted(formatPath(known))}`}; one that is live keeps its name, listed under \`except\``,
      place: spec.place,
      table: spec.name,
    },
  ];
}

function fieldNames(spec: TableSpec, style: StyleName, isExcept: IsExcept): readonly Finding[] {
  return fieldsOf(spec)
    .filter(({ field }) => !fitsStyle(field.name, style) && !isExcept([field.name]))
    .map(({ kind, field, place, told }) => {
      const better = inStyle(field.name, style);
      const name = better === null ? `a name in ${style}` : `\`name: ${better}\``;
      return {
        what: `${kind} ${quoted(told.field)} is not named in ${style}`,
        mend: `Write ${name}, with \`renamed-from: ${yamlText(field.name)}\` where the table has it already`,
        place,
        ...told,
      };
    });
}

function partitionNames(spec: TableSpec, style: StyleName, isExcept: IsExcept): readonly Finding[] {
  return (spec.partitionBy ?? []).flatMap(({ name, place }) => {
    if (name === null || fitsStyle(name, style) || isExcept([name])) return [];
    const better = inStyle(name, style);
    return [
      {
        what: `Partition field ${quoted(name)} is not named in ${style}`,
        mend: better === null ? `Write a name in ${style}` : `Write \`as ${better}\``,
        place,
        table: spec.name,
      },
    ];
  });
}

/** As YAML reads it back; what cannot be seen is written as an escape. */
function yamlText(name: string): string {
  if (/^(?!null$)[\p{L}_][\p{L}\p{M}\p{N}_]*$/iu.test(name)) return name;
  const escaped = (text: string): string =>
    text
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)
      .join("");
  return JSON.stringify(name).replace(/[^\x20-\x7E\p{L}\p{N}]/gu, escaped);
}
