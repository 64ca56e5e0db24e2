// A shell made of plain streams: what a process would be, with nothing real in it.
import { PassThrough, Writable } from "node:stream";
import { command, type Command } from "../../src/cli/command.ts";
import { main, type Shell, type ShellInput, type ShellOutput } from "../../src/cli/main.ts";
import { PROJECT_OPTIONS, SELECTION_OPTIONS, SELECTORS } from "../../src/cli/options.ts";
import type { CommandContext } from "../../src/commands/ports.ts";
import type { CommandResult } from "../../src/commands/result.ts";

class Screen extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns = 100;
  /** What each write fails with. */
  failure: NodeJS.ErrnoException | null = null;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.failure === null) this.text += chunk.toString("utf8");
    callback(this.failure);
  }
}

export interface TestShell extends Shell {
  readonly stdout: ShellOutput & Screen;
  readonly stderr: ShellOutput & Screen;
  readonly stdin: ShellInput & PassThrough;
  readonly interrupt: () => void;
}

export function testShell(
  argv: readonly string[],
  parts: Partial<Omit<Shell, "stdin">> & { readonly isTerminal?: boolean } = {},
): TestShell {
  const isTerminal = parts.isTerminal === true;
  const handlers = new Set<() => void>();
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdin.isTTY = isTerminal;
  return {
    variables: {},
    directory: "/project",
    now: () => 0,
    randomId: () => "00000000-0000-4000-8000-000000000000",
    machine: "Node v0 on test",
    interrupts: (handler) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    interrupt: () => {
      for (const handler of handlers) handler();
    },
    ...parts,
    argv,
    stdin,
    stdout: new Screen(isTerminal),
    stderr: new Screen(isTerminal),
  };
}

export const OK: CommandResult = { exit: "ok", output: null, diagnostics: [] };

export type Run = (context: CommandContext, args: Readonly<Record<string, unknown>>) => Promise<CommandResult>;

/** A table of three commands with the real options, whose work is the test's. */
export function testCommands(run: Run): Command[] {
  const parts = { formats: ["terminal", "markdown", "json"], examples: ["floeplan look"] } as const;
  return [
    command(
      {
        ...parts,
        name: "look",
        summary: "Look at tables",
        options: { ...SELECTION_OPTIONS, exitCode: { kind: "flag", summary: "Tell by the exit code" } },
        operand: SELECTORS,
        interrupt: "at-once",
        arguments: (parsed) => parsed,
      },
      async () => ({ run }),
    ),
    command(
      {
        ...parts,
        name: "take",
        summary: "Take a table",
        options: {
          ...PROJECT_OPTIONS,
          approve: { kind: "list", commas: true, placeholder: "ID[,ID]", summary: "Approve" },
          rows: { kind: "number", placeholder: "N", summary: "Print N rows" },
        },
        operand: { key: "table", placeholder: "TABLE", count: "one", summary: "The table" },
        interrupt: "finish",
        arguments: (parsed) => parsed,
      },
      async () => ({ run }),
    ),
    command(
      {
        ...parts,
        name: "later",
        summary: "Not built",
        options: {},
        operand: null,
        interrupt: "at-once",
        arguments: (parsed) => parsed,
      },
      null,
    ),
  ];
}

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runShell(shell: TestShell, run: Run = () => Promise.resolve(OK)): Promise<Answer> {
  const code = await main(shell, testCommands(run));
  return { code, stdout: shell.stdout.text, stderr: shell.stderr.text };
}

/** What the command was called with. */
export async function argumentsOf(
  argv: readonly string[],
  variables: Record<string, string> = {},
): Promise<Readonly<Record<string, unknown>> | string> {
  let seen: Readonly<Record<string, unknown>> | undefined;
  const answer = await runShell(testShell(argv, { variables }), (_context, args) => {
    seen = args;
    return Promise.resolve(OK);
  });
  return seen ?? `${answer.code} ${answer.stderr}`;
}
