// The command line from words to exit code: parse, fill the ports, run the command, draw the answer, tell failures.
// Knows no command by name; everything outside comes in through the shell. Formats and commands load on demand.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Asking, CommandContext } from "../commands/ports.ts";
import type { CommandResult } from "../commands/result.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { logLines, terminalText, visibleLines } from "../report/escape.ts";
import { isFormatName, type FormatName } from "../report/format-names.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import { codeOf, codeOfToolError } from "./exit-code.ts";
import { failureText } from "./failure.ts";
import { commandHelp, helpText } from "./help.ts";
import { watchInterrupt, type Interrupts } from "./interrupt.ts";
import { createOutput, type Output } from "./output.ts";
import { parseArguments, type Request } from "./parse-arguments.ts";
import { createProgress, type StatusLine } from "./progress.ts";
import type { Prompt } from "./prompt.ts";
import { terminalFacts, type ColourChoice } from "./terminal.ts";
import { VERSION } from "./version.ts";
import type { ResultOptions } from "./write-result.ts";

/** A stream that may be a terminal. */
export type ShellInput = Readable & { readonly isTTY?: boolean };
export type ShellOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Shell {
  /** Without the program itself. */
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly stdin: ShellInput;
  readonly stdout: ShellOutput;
  readonly stderr: ShellOutput;
  readonly now: () => number;
  readonly randomId: () => string;
  readonly interrupts: Interrupts;
  /** E.g. `Node v24.1.0 on linux x64`. */
  readonly machine: string;
}

/** The exit code. Never throws. */
export async function main(shell: Shell, commands: readonly Command[] = COMMANDS): Promise<number> {
  const progress = createProgress({
    isTerminal: shell.stderr.isTTY === true,
    width: shell.stderr.columns ?? 80,
    write: (text) => void shell.stderr.write(text),
    now: shell.now,
  });
  const output = createOutput(shell.stdout, shell.stderr, progress.clear);
  let verbose = false;
  try {
    const request = parseArguments(shell.argv, commands, shell.variables);
    verbose = request.shell["verbose"] === true;
    const code = await answer(shell, request, commands, output, progress);
    await output.flush();
    return code;
  } catch (error) {
    progress.end();
    output.note(failureText(error, verbose, { description: shell.machine }));
    await output.flush().catch(() => undefined);
    return error instanceof ToolError ? codeOfToolError(error) : codeOf("failed");
  }
}

async function answer(
  shell: Shell,
  request: Request,
  commands: readonly Command[],
  output: Output,
  progress: StatusLine,
): Promise<number> {
  const { command } = request;
  if (request.shell["version"] === true) {
    output.result(`floeplan ${VERSION}\n`);
    return codeOf("ok");
  }
  if (request.shell["help"] === true) {
    output.result(command === null ? helpText(commands) : commandHelp(command));
    return codeOf("ok");
  }
  if (command === null) {
    output.note(helpText(commands));
    return codeOf("usage");
  }
  return run(shell, command, request, output, progress);
}

async function run(shell: Shell, command: Command, request: Request, output: Output, progress: StatusLine): Promise<number> {
  const options = await resultOptions(shell, command, request);
  const isQuiet = request.shell["quiet"] === true;
  let prompt: Prompt | null = null;
  const watch = watchInterrupt(shell.interrupts, command.interrupt, (sentence) => {
    // At a question nothing is being written: the interrupt is its answer.
    if (prompt?.isWaiting() !== true) output.note(`${sentence}\n`);
  });
  try {
    const canAsk = shell.stdin.isTTY === true && shell.stderr.isTTY === true;
    if (canAsk) prompt = (await import("./prompt.ts")).createAsking(shell.stdin, shell.stderr, watch.signal);
    const port = isQuiet ? silent(progress) : progress;
    const context = contextOf(shell, options, { output, progress: port, signal: watch.signal, asking: prompt, isQuiet });
    const result = await watch.race(execute(command, context, request));
    progress.end();
    const { writeResult } = await import("./write-result.ts");
    await writeResult(result, output, options);
    return codeOf(result.exit);
  } finally {
    watch.end();
  }
}

async function execute(command: Command, context: CommandContext, request: Request): Promise<CommandResult> {
  const module = await command.load?.();
  if (module === undefined) throw new ToolError("internal", `Command "${command.name}" has no code`);
  return module.run(context, request.args);
}

async function resultOptions(shell: Shell, command: Command, request: Request): Promise<ResultOptions> {
  const values = request.shell;
  const colour = typeof values["color"] === "string" ? values["color"] : "auto";
  const directory = resolve(shell.directory, typeof values["directory"] === "string" ? values["directory"] : ".");
  if (typeof values["directory"] === "string" && !isFolder(directory)) {
    throw new ToolError("usage", `Cannot start in "${values["directory"]}"`, { why: "There is no such folder" });
  }
  const files = Array.isArray(values["out"]) ? values["out"] : [];
  if (files.length > 0) {
    const { formatOfFile } = await import("./write-result.ts");
    for (const file of files) offered(command, formatOfFile(file), `Cannot write "${file}"`);
  }
  if (values["quiet"] === true && values["verbose"] === true)
    throw new ToolError("usage", 'Options "--quiet" and "--verbose" exclude each other');
  return {
    format: offered(command, typeof values["format"] === "string" ? values["format"] : "terminal", "Cannot use this format"),
    files,
    directory,
    verbose: values["verbose"] === true,
    terminal: terminalFacts(shell.stdout, shell.variables, isColourChoice(colour) ? colour : "auto"),
    isCiLog: (shell.variables["CI"] ?? "") !== "",
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isColourChoice(text: string): text is ColourChoice {
  return text === "auto" || text === "always" || text === "never";
}

function offered(command: Command, format: string, what: string): FormatName {
  if (isFormatName(format) && command.formats.includes(format)) return format;
  throw new ToolError("usage", `${what}: "${command.name}" has no ${format} format`, {
    mend: `It has ${command.formats.join(", ")}`,
  });
}

interface Ports {
  readonly output: Output;
  readonly progress: StatusLine;
  readonly signal: AbortSignal;
  readonly asking: Asking | null;
  readonly isQuiet: boolean;
}

function contextOf(shell: Shell, options: ResultOptions, { output, progress, signal, asking, isQuiet }: Ports): CommandContext {
  const forPerson = options.format === "terminal" && options.terminal.isTerminal;
  return {
    directory: options.directory,
    version: VERSION,
    variables: shell.variables,
    verbose: options.verbose,
    now: shell.now,
    randomId: shell.randomId,
    signal,
    note: (sentence) => {
      if (!isQuiet) output.note(logLines(`${terminalText(sentence)}\n`));
    },
    say: (text) => {
      const lines = logLines(`${visibleLines(text.replace(/\n$/, "")).join("\n")}\n`);
      if (options.format === "terminal") output.result(lines);
      else output.note(lines);
    },
    show: async (report) => {
      const { render, writeReport } = await import("./write-result.ts");
      if (forPerson) writeReport(report, "terminal", output, options);
      else
        output.note(render(report, "terminal", { ...options, terminal: terminalFacts(shell.stderr, shell.variables, "auto") }));
    },
    progress: { report: progress.report, end: progress.end },
    asking,
    terminal: options.terminal,
  };
}

function silent(progress: StatusLine): StatusLine {
  return { ...progress, report: () => undefined };
}
