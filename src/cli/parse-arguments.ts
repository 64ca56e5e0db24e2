// Reads the command line by the table of commands: which command, with which values. Whatever is wrong is a usage
// error that names the option and the nearest one. Knows no command by name.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { builtCommands, type Command, type ParsedArguments } from "./command.ts";
import { didYouMean } from "../diagnostics/near-spelling.ts";
import { commandFor } from "./other-words.ts";
import { optionName, SHELL_OPTIONS, type OptionSpec, type OptionSpecs } from "./options.ts";
import { operandValues, optionValues, usage, type GivenOption } from "./parse-values.ts";

export interface Request {
  /** Null: `--help` or `--version` without a command. */
  readonly command: Command | null;
  readonly args: ParsedArguments;
  /** The options of the shell itself. */
  readonly shell: ParsedArguments;
}

/** `floeplan help plan` is `floeplan plan --help`. */
const HELP = "help";

type Variables = Readonly<Record<string, string | undefined>>;

export function parseArguments(argv: readonly string[], commands: readonly Command[], variables: Variables): Request {
  const built = builtCommands(commands);
  const { options, operands: typed } = tokensOf(argv, built);
  const asksHelp = typed[0] === HELP;
  const operands = asksHelp ? typed.slice(1) : typed;
  const [word, ...rest] = operands;
  const command = word === undefined ? null : (built.find((one) => one.name === word) ?? unknownCommand(word, built));
  const specs: OptionSpecs = { ...SHELL_OPTIONS, ...command?.options };
  const given = byKey(options, specs, command, built);
  const values = optionValues(given, specs, variables);
  const shell: ParsedArguments = {
    ...Object.fromEntries(Object.keys(SHELL_OPTIONS).map((key) => [key, values[key] ?? null])),
    ...(asksHelp ? { help: true } : {}),
  };
  const isAsking = shell["help"] === true || shell["version"] === true;
  if (command === null) return { command, args: {}, shell };
  const own = Object.fromEntries(Object.keys(command.options).map((key) => [key, values[key] ?? null]));
  return { command, args: { ...own, ...(isAsking ? {} : operandValues(command, rest)) }, shell };
}

function tokensOf(
  argv: readonly string[],
  commands: readonly Command[],
): { readonly options: GivenOption[]; readonly operands: string[] } {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const specs of [SHELL_OPTIONS, ...commands.map((command) => command.options)]) {
    for (const [key, spec] of Object.entries<OptionSpec>(specs)) {
      const type = spec.kind === "flag" || spec.kind === "optional-value" ? "boolean" : "string";
      options[optionName(key).slice(2)] = spec.short === undefined ? { type } : { type, short: spec.short };
    }
  }
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const found: { readonly options: GivenOption[]; readonly operands: string[] } = { options: [], operands: [] };
  for (const token of tokens) {
    if (token.kind === "positional") found.operands.push(token.value);
    else if (token.kind === "option") {
      found.options.push({ rawName: token.rawName, value: token.value, isInline: token.inlineValue === true });
    }
  }
  return found;
}

function unknownCommand(word: string, commands: readonly Command[]): never {
  const names = commands.map((one) => one.name);
  const meant = commandFor(word);
  throw usage(
    `Unknown command "${word}"`,
    (meant !== null && names.includes(meant) ? `Did you mean "${meant}"?` : didYouMean(word, names)) ??
      "`floeplan --help` lists the commands",
  );
}

function byKey(
  options: readonly GivenOption[],
  specs: OptionSpecs,
  command: Command | null,
  commands: readonly Command[],
): Map<string, GivenOption[]> {
  const given = new Map<string, GivenOption[]>();
  for (const option of options) {
    const key =
      Object.keys(specs).find((one) => isNamed(option.rawName, one, specs[one])) ??
      unknownOption(option.rawName, specs, command, commands);
    given.set(key, [...(given.get(key) ?? []), option]);
  }
  return given;
}

function isNamed(rawName: string, key: string, spec: OptionSpec | undefined): boolean {
  return rawName === optionName(key) || (spec?.short !== undefined && rawName === `-${spec.short}`);
}

function unknownOption(rawName: string, specs: OptionSpecs, command: Command | null, commands: readonly Command[]): never {
  const others = commands.filter((one) => Object.keys(one.options).some((key) => isNamed(rawName, key, one.options[key])));
  const ofWhat = command === null ? "" : ` of ${command.name}`;
  const names = Object.entries(specs).flatMap(([key, spec]) => [
    optionName(key),
    ...(spec.short === undefined ? [] : [`-${spec.short}`]),
  ]);
  const help = command === null ? "`floeplan --help` lists the options" : `\`floeplan ${command.name} --help\` lists the options`;
  if (others.length > 0) {
    const list = others.map((one) => one.name).join(", ");
    throw usage(
      `Option "${rawName}" is not an option${ofWhat}`,
      command === null ? `Name the command: it is one of ${list}` : `It is one of ${list}`,
    );
  }
  throw usage(
    `Unknown option "${rawName}"${ofWhat}`,
    (rawName.startsWith("--") ? didYouMean(rawName, names) : undefined) ?? help,
  );
}
