// The closed list of lint rules: one rule is one file in rules/ and one line here. Runs them over declared tables
// with the levels and options of the project file. Knows no rule by name.
import type { ProjectConfig } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { type Diagnostic, diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/near-spelling.ts";
import { optionReader } from "./options.ts";
import type { LintRule } from "./rule.ts";
import { CONFUSABLE_NAME } from "./rules/confusable-name.ts";
import { MISSING_COMMENT } from "./rules/missing-comment.ts";
import { NAME_STYLE } from "./rules/name-style.ts";
import { choices, quoted } from "./words.ts";

export const LINT_RULES: readonly LintRule[] = [CONFUSABLE_NAME, MISSING_COMMENT, NAME_STYLE];

/**
 * All findings in order of place. `specs` may be those of several environments; what they share is told once. What is
 * wrong with the rules' settings is an error in the project file.
 */
export function lintTables(specs: readonly TableSpec[], config: Pick<ProjectConfig, "lint">): readonly Diagnostic[] {
  const found: Diagnostic[] = [...unknownRules(config)];
  for (const rule of LINT_RULES) {
    const setting = config.lint.get(rule.name) ?? null;
    const { options, rest } = optionReader(rule.name, setting);
    const check = rule.prepare(options);
    found.push(...rest());
    const level = setting?.level ?? rule.level;
    if (level === "off") continue;
    for (const finding of check(specs)) found.push(diagnostic(rule.name, { ...finding, severity: level }));
  }
  return sortDiagnostics(found);
}

function unknownRules({ lint }: Pick<ProjectConfig, "lint">): readonly Diagnostic[] {
  const names = LINT_RULES.map((rule) => rule.name);
  return [...lint]
    .filter(([name]) => !names.some((known) => known === name))
    .map(([name, { place }]) =>
      diagnostic("lint-rule-unknown", {
        what: `Unknown lint rule ${quoted(name)}`,
        mend: didYouMean(name, names) ?? `The rules are ${choices(names)}`,
        place,
      }),
    );
}
