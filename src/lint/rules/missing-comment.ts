// Tables and columns that say nothing about themselves. A table's readers see the comment in every engine; whoever
// reviews the file sees only what the file says, so a comment that is only live does not count.
import { fieldsOf } from "../declared-fields.ts";
import type { Finding, LintRule } from "../rule.ts";
import { quoted } from "../words.ts";

export const MISSING_COMMENT: LintRule = {
  name: "missing-comment",
  level: "off",
  prepare: (options) => {
    const nested = options.flag("nested");
    return (specs) =>
      specs.flatMap((spec): readonly Finding[] => {
        const fields = fieldsOf(spec).filter(({ kind, field }) => (nested || kind === "Column") && isMissing(field.comment));
        return [
          ...(isMissing(spec.comment) ? [finding("Table", spec.name, { place: spec.place, table: spec.name })] : []),
          ...fields.map(({ kind, place, told }) => finding(kind, told.field, { place, ...told })),
        ];
      });
  },
};

function isMissing(comment: { readonly value: string } | undefined): boolean {
  return comment === undefined || comment.value.trim() === "";
}

function finding(kind: string, name: string, where: Pick<Finding, "place" | "table" | "field">): Finding {
  return { what: `${kind} ${quoted(name)} has no comment`, mend: "Add `comment:` and say what it holds", ...where };
}
