// How options and operands are described, the types of what they are read as, and the options that every command
// has. One description feeds parsing, `--help` and the README.
import { FORMAT_NAMES } from "../report/format-names.ts";

interface Described {
  readonly short?: string;
  /** One line, no full stop. */
  readonly summary: string;
}

interface FlagOption extends Described {
  readonly kind: "flag";
}

export interface ValueOption extends Described {
  readonly kind: "value";
  /** What stands for the value in the help. */
  readonly placeholder: string;
  readonly choices?: readonly string[];
  /** Environment variable that says it when the option does not. */
  readonly variable?: string;
}

/** A whole number from 0. */
interface NumberOption extends Described {
  readonly kind: "number";
  readonly placeholder: string;
}

/** May be given again; values may also be joined by commas where `commas` says so. */
export interface ListOption extends Described {
  readonly kind: "list";
  readonly placeholder: string;
  readonly commas?: true;
}

/** `--name` or `--name=VALUE`. */
interface OptionalValueOption extends Described {
  readonly kind: "optional-value";
  readonly placeholder: string;
}

export type OptionSpec = FlagOption | ValueOption | NumberOption | ListOption | OptionalValueOption;

/** By the key that a command reads; the option is the key with hyphens: `dryRun` is `--dry-run`. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface OperandSpec {
  readonly key: string;
  readonly placeholder: string;
  readonly count: "one" | "optional" | "many";
  readonly summary: string;
}

type ValueOf<O extends OptionSpec> = O extends FlagOption
  ? boolean
  : O extends ListOption
    ? readonly string[]
    : O extends NumberOption
      ? number | null
      : O extends OptionalValueOption
        ? string | true | null
        : O extends { readonly choices: readonly (infer Choice)[] }
          ? Choice | null
          : string | null;

type OperandOf<O extends OperandSpec | null> = O extends OperandSpec
  ? {
      readonly [K in O["key"]]: O["count"] extends "one"
        ? string
        : O["count"] extends "optional"
          ? string | null
          : readonly string[];
    }
  : unknown;

/** What a command with these options and operands is called with. */
export type ArgumentsOf<S extends OptionSpecs, O extends OperandSpec | null> = {
  readonly [K in keyof S]: ValueOf<S[K]>;
} & OperandOf<O>;

export function optionName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Read by the command line itself. */
export const SHELL_OPTIONS = {
  directory: { kind: "value", short: "C", placeholder: "DIR", summary: "Run as if started in DIR" },
  format: { kind: "value", placeholder: "FORMAT", choices: FORMAT_NAMES, summary: "Format of the result on standard output" },
  out: {
    kind: "list",
    placeholder: "FILE",
    summary: "Also write the result to FILE, in the format of its ending; may be repeated",
  },
  quiet: { kind: "flag", short: "q", summary: "No notes and no progress" },
  verbose: { kind: "flag", short: "v", summary: "Say more: evidence, SQL, what to write for drift, every note" },
  color: { kind: "value", placeholder: "WHEN", choices: ["auto", "always", "never"], summary: "Colour on the terminal" },
  help: { kind: "flag", short: "h", summary: "Show help, also for one command" },
  version: { kind: "flag", summary: "Show the version" },
} as const satisfies OptionSpecs;

export const PROJECT_OPTIONS = {
  config: {
    kind: "value",
    short: "c",
    placeholder: "CONFIG",
    summary: "The project file (default: floeplan.yaml here or above)",
  },
  env: {
    kind: "value",
    short: "e",
    placeholder: "ENV",
    variable: "FLOEPLAN_ENV",
    summary: "The environment; needed when the project has several",
  },
} as const satisfies OptionSpecs;

/** A catalog to read from without a project. */
export const BARE_CATALOG_OPTIONS = {
  local: { kind: "value", placeholder: "DIR", summary: "Read the warehouse in DIR; needs no project, writes no file" },
  glue: { kind: "value", placeholder: "REGION", summary: "Read AWS Glue in REGION; needs no project, writes no file" },
  s3Tables: { kind: "value", placeholder: "ARN", summary: "Read the table bucket ARN; needs no project, writes no file" },
  rest: {
    kind: "value",
    placeholder: "URI",
    summary: "Read the REST catalog at URI (with ?warehouse=NAME where it has several); needs no project, writes no file",
  },
} as const satisfies OptionSpecs;

export const SELECTION_OPTIONS = {
  ...PROJECT_OPTIONS,
  exclude: { kind: "list", placeholder: "TABLE", summary: "Leave out a table, a glob or a file; may be repeated" },
  changed: { kind: "optional-value", placeholder: "REF", summary: "Only tables whose declaration differs from REF" },
} as const satisfies OptionSpecs;

export const SELECTORS = {
  key: "selectors",
  placeholder: "TABLE | GLOB | FILE",
  count: "many",
  summary: "Declared names, globs over them, or files (default: all tables)",
} as const satisfies OperandSpec;
