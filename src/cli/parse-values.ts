// Turns what was typed for each option and operand into its value, by the kind that its spec names.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Command, ParsedArguments } from "./command.ts";
import { didYouMean } from "../diagnostics/near-spelling.ts";
import { optionName, type ListOption, type OptionSpec, type OptionSpecs, type ValueOption } from "./options.ts";

export interface GivenOption {
  /** As it was typed, e.g. `-e`. */
  readonly rawName: string;
  /** Undefined: none was given. */
  readonly value: string | undefined;
  readonly isInline: boolean;
}

type Value = ParsedArguments[string];
type Variables = Readonly<Record<string, string | undefined>>;

export function optionValues(
  given: ReadonlyMap<string, readonly GivenOption[]>,
  specs: OptionSpecs,
  variables: Variables,
): ParsedArguments {
  return Object.fromEntries(
    Object.entries(specs).map(([key, spec]) => [key, valueOf(optionName(key), spec, given.get(key) ?? [], variables)]),
  );
}

function valueOf(name: string, spec: OptionSpec, given: readonly GivenOption[], variables: Variables): Value {
  switch (spec.kind) {
    case "flag":
      return flagValue(name, given);
    case "optional-value":
      return single(
        name,
        given.map((option) => (option.isInline ? nonEmpty(name, option.value) : true)),
      );
    case "value":
      return oneValue(name, spec, given, variables);
    case "number":
      return numberValue(name, spec.placeholder, given);
    case "list":
      return listValue(name, spec, given);
  }
}

function flagValue(name: string, given: readonly GivenOption[]): boolean {
  const withValue = given.find((option) => option.isInline);
  if (withValue !== undefined) throw usage(`Option "${name}" takes no value; it was given "${withValue.value ?? ""}"`);
  return given.length > 0;
}

function oneValue(name: string, spec: ValueOption, given: readonly GivenOption[], variables: Variables): string | null {
  const typed = single(
    name,
    given.map((option) => needed(name, spec.placeholder, option)),
  );
  // An empty variable counts as none: CI systems set what is not given to the empty text.
  const fromVariable = spec.variable === undefined ? undefined : variables[spec.variable];
  const value = typed ?? (fromVariable === undefined || fromVariable === "" ? null : fromVariable);
  if (value === null || spec.choices === undefined || spec.choices.includes(value)) return value;
  const choices = spec.choices.map((choice) => `"${choice}"`).join(", ");
  throw usage(`Option "${name}" must be one of ${choices}; it is "${value}"`, didYouMean(value, spec.choices));
}

function numberValue(name: string, placeholder: string, given: readonly GivenOption[]): number | null {
  const typed = single(
    name,
    given.map((option) => needed(name, placeholder, option)),
  );
  if (typed === null) return null;
  if (!/^[0-9]{1,9}$/.test(typed)) throw usage(`Option "${name}" must be a whole number from 0; it is "${typed}"`);
  return Number(typed);
}

function listValue(name: string, spec: ListOption, given: readonly GivenOption[]): string[] {
  const values = given.map((option) => needed(name, spec.placeholder, option));
  if (spec.commas !== true) return values;
  return values.flatMap((value) => value.split(",")).map((value) => nonEmpty(name, value.trim()));
}

function needed(name: string, placeholder: string, option: GivenOption): string {
  if (option.value === undefined) throw usage(`Option "${name}" needs a value: ${name}=${placeholder}`);
  if (!option.isInline && option.value.startsWith("-") && option.value.length > 1) {
    throw usage(
      `Option "${name}" needs a value, and "${option.value}" looks like an option`,
      `If it is meant, write ${name}=${option.value}`,
    );
  }
  return nonEmpty(name, option.value);
}

function nonEmpty(name: string, value: string | undefined): string {
  if (value === undefined || value === "") throw usage(`Option "${name}" was given an empty value`);
  return value;
}

/** The same twice is fine, a contradiction is not. */
function single<V extends string | true>(name: string, values: readonly V[]): V | null {
  const [first, ...others] = values;
  const other = others.find((value) => value !== first);
  if (first !== undefined && other !== undefined) throw usage(`Option "${name}" was given twice: "${first}" and "${other}"`);
  return first ?? null;
}

export function operandValues(command: Command, words: readonly string[]): ParsedArguments {
  const { operand, name } = command;
  if (operand === null) {
    if (words.length > 0) throw usage(`"${name}" takes no operands; it was given "${words[0] ?? ""}"`);
    return {};
  }
  if (operand.count === "many") return { [operand.key]: words };
  if (words.length > 1)
    throw usage(`"${name}" takes one ${operand.placeholder}; it was given ${words.length}: "${words.join('", "')}"`);
  const [word] = words;
  if (word === undefined && operand.count === "one") {
    throw usage(`"${name}" needs ${operand.placeholder}: ${operand.summary}`, `\`floeplan ${name} --help\` shows how`);
  }
  return { [operand.key]: word ?? null };
}

export function usage(what: string, mend?: string): ToolError {
  return new ToolError("usage", what, mend === undefined ? {} : { mend });
}
