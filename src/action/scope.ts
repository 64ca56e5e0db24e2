// Which tables a change of the project is about: those whose declaration says something else than before. Pure.
import type { Policy, ProjectConfig } from "../desired/project-config.ts";
import { type Project, resolveProject } from "../desired/load-project.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { declarationText } from "./declaration-text.ts";

export interface Declared {
  readonly config: ProjectConfig;
  readonly tables: readonly TableSpec[];
}

export interface Comparison {
  /** Declared now, and not the same before. */
  readonly changed: readonly TableSpec[];
  /** Before, by name; a table whose file could not be read is not among them. */
  readonly before: ReadonlyMap<string, TableSpec>;
  /** Declared before, and not any more. */
  readonly removed: readonly TableSpec[];
  /** Of the environment before; null: there was no such environment, and nothing is compared. */
  readonly policy: Policy | null;
}

export function compareProjects(now: Declared, before: Project | null, environment: string): Comparison {
  const earlier = before === null ? null : declaredIn(before, environment);
  if (earlier === null) return { changed: now.tables, before: new Map(), removed: [], policy: null };
  const texts = new Map(earlier.tables.map((spec) => [spec.name, textOf(earlier, spec, environment)]));
  const names = new Set(now.tables.map((spec) => spec.name));
  return {
    changed: now.tables.filter((spec) => texts.get(spec.name) !== textOf(now, spec, environment)),
    before: new Map(earlier.tables.map((spec) => [spec.name, spec])),
    removed: earlier.tables.filter((spec) => !names.has(spec.name)),
    policy: environmentOf(earlier.config, environment)?.policy ?? null,
  };
}

/** Null where the project was not readable, or had no such environment. */
function declaredIn(project: Project, environment: string): Declared | null {
  const { config } = project;
  if (config === null || environmentOf(config, environment) === undefined) return null;
  return { config, tables: resolveProject(project, environment).tables };
}

/** The policy that a project has for an environment; null: it has none of that name, or cannot be read. */
export function policyIn(project: Project | null, environment: string): Policy | null {
  return project === null || project.config === null ? null : (environmentOf(project.config, environment)?.policy ?? null);
}

function environmentOf(config: ProjectConfig, name: string): ProjectConfig["environments"][number] | undefined {
  return config.environments.find((one) => one.name === name);
}

function textOf({ config }: Declared, spec: TableSpec, environment: string): string {
  return declarationText(spec, environmentOf(config, environment)?.catalogs.get(spec.catalog));
}

/** The policy of the base branch rules: one that is changed here holds from the next pull request on. */
export function policyNotes(
  now: Policy,
  before: Policy | null,
  config: Pick<ProjectConfig, "file">,
  environment: string,
): readonly Diagnostic[] {
  if (before === null || JSON.stringify(now) === JSON.stringify(before)) return [];
  return [
    diagnostic("policy-changed", {
      what: `The policy of environment "${environment}" is changed here`,
      why: "This plan is judged by the policy of the base branch; the new one holds once it is merged",
      mend: "Have it reviewed by those who own the policy",
      place: { file: config.file, line: 1, column: 1 },
    }),
  ];
}

export function removedNotes(removed: readonly TableSpec[]): readonly Diagnostic[] {
  return removed.map((spec) =>
    diagnostic("table-undeclared", {
      what: `Table "${spec.name}" is no longer managed, and nothing of it is deleted`,
      why: `"${spec.file}" does not declare it any more; its columns and data stay`,
      mend: "Declare it again to go on where it was",
      table: spec.name,
    }),
  );
}
