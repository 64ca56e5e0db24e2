// The commands with their options and operands: the one table that parsing, `--help` and the README read. A
// command without `load` is not built: it is absent everywhere.
import type {
  ApplyArguments,
  DemoArguments,
  ExplainArguments,
  FmtArguments,
  PlanArguments,
  ShowArguments,
  TableChangeArguments,
  ValidateArguments,
} from "../commands/arguments.ts";
import { ENGINES_WITH_DDL } from "../commands/arguments.ts";
import type { CommandContext } from "../commands/ports.ts";
import type { CommandResult } from "../commands/result.ts";
import type { FormatName } from "../report/format-names.ts";
import {
  PROJECT_OPTIONS,
  SELECTION_OPTIONS,
  SELECTORS,
  type ArgumentsOf,
  type OperandSpec,
  type OptionSpecs,
} from "./options.ts";

export interface CommandModule<A> {
  readonly run: (context: CommandContext, args: A) => Promise<CommandResult>;
}

interface CommandParts<S extends OptionSpecs, O extends OperandSpec | null> {
  readonly name: string;
  /** One line, no full stop. */
  readonly summary: string;
  readonly options: S;
  readonly operand: O;
  readonly formats: readonly FormatName[];
  /** Ctrl-C: stop `at-once`, or `finish` what is being written. */
  readonly interrupt: "at-once" | "finish";
  readonly examples: readonly string[];
}

/** A command whose argument types are settled: whoever has the spec can only call it with what was parsed by it. */
export interface Command extends CommandParts<OptionSpecs, OperandSpec | null> {
  /** Null: not built. */
  readonly load: (() => Promise<CommandModule<ParsedArguments>>) | null;
}

/** By key: flag, text, number, list, or null. Made by parse-arguments.ts from the same spec. */
export type ParsedArguments = Readonly<Record<string, boolean | string | number | readonly string[] | null>>;

/** `A` is what the command's file wants; that the options say the same is checked here by the compiler. */
export function command<A, const S extends OptionSpecs, const O extends OperandSpec | null>(
  parts: CommandParts<S, O> & { readonly arguments: (parsed: ArgumentsOf<S, O>) => A },
  load: (() => Promise<CommandModule<A>>) | null,
): Command {
  const { arguments: settle, ...spec } = parts;
  if (load === null) return { ...spec, load: null };
  return {
    ...spec,
    load: async () => {
      const module = await load();
      // The parser gives every key of the spec the value type that ArgumentsOf names for it.
      return { run: (context, parsed) => module.run(context, settle(parsed as ArgumentsOf<S, O>)) };
    },
  };
}

const TABLE = { key: "table", placeholder: "TABLE", count: "one", summary: "The table's declared name" } as const;
const REASON = { kind: "value", placeholder: "TEXT", summary: "Why; kept in the table" } as const;
const YES = { kind: "flag", short: "y", summary: "Do not ask" } as const;
const DDL = { kind: "value", placeholder: "ENGINE", choices: ENGINES_WITH_DDL } as const;

/** In the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  command(
    {
      name: "demo",
      summary: "Make a small warehouse and walk through a plan and an apply",
      options: {},
      operand: {
        key: "folder",
        placeholder: "DIR",
        count: "optional",
        summary: "Where to make it (default: a temporary folder)",
      },
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan demo"],
      arguments: (parsed): DemoArguments => parsed,
    },
    () => import("../commands/demo.ts"),
  ),
  command(
    {
      name: "validate",
      summary: "Check the files without touching a catalog",
      options: { ...SELECTION_OPTIONS, fix: { kind: "flag", summary: "Mend what has one mend" } },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: ["floeplan validate", "floeplan validate tables/sales --fix"],
      arguments: (parsed): ValidateArguments => parsed,
    },
    () => import("../commands/validate.ts"),
  ),
  command(
    {
      name: "fmt",
      summary: "Bring the files into their usual form",
      options: {
        ...SELECTION_OPTIONS,
        check: { kind: "flag", summary: "Change nothing; exit code 1 where something would change" },
        prune: { kind: "flag", summary: "Take out hints that are done in every environment" },
      },
      operand: SELECTORS,
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan fmt --check"],
      arguments: (parsed): FmtArguments => parsed,
    },
    () => import("../commands/fmt.ts"),
  ),
  command(
    {
      name: "plan",
      summary: "Show the steps from the live tables to the declared ones",
      options: {
        ...SELECTION_OPTIONS,
        exitCode: { kind: "flag", summary: "Exit code 2 where changes or drift exist" },
        preflight: { kind: "flag", summary: "Also read the values of converted columns and count those that fail" },
        noEvidence: { kind: "flag", summary: "Do not read manifests: faster, and less is proved" },
        ddl: { ...DDL, summary: "Print what a person would type for the steps, or why nothing does it" },
      },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: [
        "floeplan plan -e prod",
        "floeplan plan -e prod 'sales.*' --out plan.json",
        "floeplan plan --changed=main --exit-code",
      ],
      arguments: ({ noEvidence, ...parsed }): PlanArguments => ({ ...parsed, evidence: !noEvidence }),
    },
    () => import("../commands/plan.ts"),
  ),
  command(
    {
      name: "apply",
      summary: "Plan again and carry the plan out",
      options: {
        ...SELECTION_OPTIONS,
        yes: { ...YES, summary: "Do not ask; steps that rewrite or lose data are still refused" },
        plan: { kind: "value", placeholder: "FILE", summary: "Approve the steps of this reviewed plan file" },
        approve: { kind: "list", commas: true, placeholder: "ID[,ID]", summary: "Approve steps or the plan by 8 digits or more" },
        dryRun: { kind: "flag", summary: "Do everything but the last move: the table stays as it is" },
        reason: REASON,
      },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      examples: [
        "floeplan apply -e dev",
        "floeplan apply -e prod sales.orders --approve c40e7718",
        "floeplan apply -e prod --plan plan.json",
      ],
      arguments: (parsed): ApplyArguments => parsed,
    },
    () => import("../commands/apply.ts"),
  ),
  command(
    {
      name: "show",
      summary: "Show a live table: schema with field ids, partitions, sort order, properties",
      options: {
        ...PROJECT_OPTIONS,
        local: { kind: "value", placeholder: "DIR", summary: "A table of the warehouse in DIR; needs no project" },
        rows: { kind: "number", placeholder: "N", summary: "Also print the first N rows" },
      },
      operand: TABLE,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: ["floeplan show sales.orders -e prod", "floeplan show sales.orders --local ./warehouse"],
      arguments: (parsed): ShowArguments => ({ ...parsed, rows: parsed.rows ?? 0 }),
    },
    () => import("../commands/show.ts"),
  ),
  command(
    {
      name: "rollback",
      summary: "Put a table back to the state before its last conversion, schema and data, and hold it",
      options: { ...PROJECT_OPTIONS, yes: YES, reason: REASON },
      operand: TABLE,
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      examples: ["floeplan rollback sales.orders -e prod --reason 'wrong format'"],
      arguments: (parsed): TableChangeArguments => parsed,
    },
    () => import("../commands/rollback.ts"),
  ),
  command(
    {
      name: "release",
      summary: "Let a held table be applied again",
      options: { ...PROJECT_OPTIONS, yes: YES, reason: REASON },
      operand: TABLE,
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      examples: ["floeplan release sales.orders -e prod"],
      arguments: (parsed): TableChangeArguments => parsed,
    },
    () => import("../commands/release.ts"),
  ),
  command(
    {
      name: "abort",
      summary: "End an interrupted conversion and delete the files that its journal names",
      options: { ...PROJECT_OPTIONS, yes: YES, reason: REASON },
      operand: TABLE,
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      examples: ["floeplan abort sales.orders -e prod"],
      arguments: (parsed): TableChangeArguments => parsed,
    },
    () => import("../commands/abort.ts"),
  ),
  command(
    {
      name: "explain",
      summary: "Explain a diagnostic's code or a key of the files",
      options: {},
      operand: {
        key: "word",
        placeholder: "CODE | KEY",
        count: "one",
        summary: "E.g. field-dropped-unacknowledged or renamed-from",
      },
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan explain rename-ambiguous"],
      arguments: (parsed): ExplainArguments => parsed,
    },
    () => import("../commands/explain.ts"),
  ),
];

export function builtCommands(commands: readonly Command[]): Command[] {
  return commands.filter((one) => one.load !== null);
}
