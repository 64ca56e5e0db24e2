// `--help` and the README's tables, written from the table of commands. All text here is ours.
import { EXIT_CODES } from "./exit-code.ts";
import { builtCommands, type Command } from "./command.ts";
import { optionName, SHELL_OPTIONS, type OptionSpec, type OptionSpecs } from "./options.ts";
import { VERSION } from "./version.ts";

const WIDTH = 100;

export function helpText(commands: readonly Command[]): string {
  const built = builtCommands(commands);
  return [
    `floeplan ${VERSION}: keeps Apache Iceberg tables in step with YAML files in Git`,
    "",
    "Usage: floeplan COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...rows(built.map((one) => [one.name, `${one.summary}.`])),
    "",
    "Options of every command:",
    ...rows(optionRows(SHELL_OPTIONS)),
    "",
    "Exit codes:",
    ...rows(Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), `${meaning}.`])),
    "",
    "`floeplan COMMAND --help` says more.",
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  const { operand, examples } = command;
  return [
    `floeplan ${command.name}: ${command.summary.charAt(0).toLowerCase()}${command.summary.slice(1)}`,
    "",
    `Usage: ${usageLine(command)}`,
    ...(operand === null ? [] : ["", ...rows([[operand.placeholder, `${operand.summary}.`]])]),
    ...(Object.keys(command.options).length === 0 ? [] : ["", "Options:", ...rows(optionRows(command.options))]),
    "",
    "Options of every command:",
    ...rows(optionRows(shellOptionsOf(command))),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** Formats are what this command offers; where it offers one there is nothing to choose. */
function shellOptionsOf(command: Command): OptionSpecs {
  const { format, out, ...others } = SHELL_OPTIONS;
  return command.formats.length === 1 ? others : { format: { ...format, choices: command.formats }, out, ...others };
}

function usageLine(command: Command): string {
  const { operand } = command;
  const shown =
    operand === null
      ? ""
      : { one: " TABLE", optional: " [TABLE]", many: " [TABLE]…" }[operand.count].replace("TABLE", operand.placeholder);
  return `floeplan ${command.name}${shown} [OPTIONS]`;
}

function optionRows(specs: OptionSpecs): [string, string][] {
  return Object.entries(specs).map(([key, spec]) => [optionUsage(key, spec), `${optionSummary(spec)}.`]);
}

function optionUsage(key: string, spec: OptionSpec): string {
  const value = spec.kind === "flag" ? "" : spec.kind === "optional-value" ? `[=${spec.placeholder}]` : ` ${spec.placeholder}`;
  return `${spec.short === undefined ? "    " : `-${spec.short}, `}${optionName(key)}${value}`;
}

function optionSummary(spec: OptionSpec): string {
  const choices = spec.kind === "value" && spec.choices !== undefined ? `: ${spec.choices.join(", ")}` : "";
  const variable = spec.kind === "value" && spec.variable !== undefined ? ` (also ${spec.variable})` : "";
  return `${spec.summary}${choices}${variable}`;
}

function rows(cells: readonly (readonly string[])[]): string[] {
  const widest = cells.reduce((most, [name = ""]) => Math.max(most, name.length), 0);
  return cells.flatMap(([name = "", words = ""]) => {
    const lines = wrapped(words, WIDTH - widest - 4);
    return lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(widest)}  ${line}`);
  });
}

function wrapped(words: string, width: number): string[] {
  const lines = [""];
  for (const word of words.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** The commands as a Markdown table, for the README. */
export function commandsMarkdown(commands: readonly Command[]): string {
  return markdownTable(
    ["Command", "What it does"],
    builtCommands(commands).map((one) => [
      `\`${usageLine(one)
        .replace(/^floeplan /, "")
        .replace(/ \[OPTIONS\]$/, "")}\``,
      `${one.summary}.`,
    ]),
  );
}

/** The options of one command, or those of every command for null. */
export function optionsMarkdown(command: Command | null): string {
  const specs: OptionSpecs = command === null ? SHELL_OPTIONS : command.options;
  return markdownTable(
    ["Option", "Meaning"],
    optionRows(specs).map(([usage, summary]) => [`\`${usage.trim()}\``, summary]),
  );
}

export function exitCodesMarkdown(): string {
  return markdownTable(
    ["Exit code", "Meaning"],
    Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), `${meaning}.`]),
  );
}

function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => ":--")), ...body.map(line), ""].join("\n");
}
