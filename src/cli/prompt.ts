// Questions to a person at a terminal. Every answer but a clear yes is no, and so is the end of input; what
// rewrites or loses data is approved by typing the environment's name.
import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import type { Asking } from "../commands/ports.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { terminalText } from "../report/escape.ts";

type Effect = Parameters<Asking["approve"]>[1];

/** Null: a yes is enough. */
const WARNING: Readonly<Record<Effect, string | null>> = {
  metadata: null,
  behaviour: null,
  rewrite: "This plan rewrites data.",
  destructive: "This plan loses data.",
};

export interface Prompt extends Asking {
  /** Is a question open that nobody has answered yet? */
  readonly isWaiting: () => boolean;
}

export function createAsking(input: Readable, output: Writable, signal: AbortSignal): Prompt {
  let waiting = false;
  const answerTo = async (question: string): Promise<string | null> => {
    waiting = true;
    try {
      return await ask(question, input, output, signal);
    } finally {
      waiting = false;
    }
  };
  const confirm = async (question: string): Promise<boolean> =>
    /^(y|yes)$/i.test((await answerTo(`${terminalText(question)} [y/N] `)) ?? "");
  return {
    isWaiting: () => waiting,
    confirm,
    approve: async (environment, strongest) => {
      const warning = WARNING[strongest];
      const name = terminalText(environment);
      if (warning === null) return confirm(`Apply this plan to "${environment}"?`);
      return (await answerTo(`${warning} Type the environment's name (${name}) to apply it: `)) === environment;
    },
  };
}

/** Null at the end of input. */
async function ask(question: string, input: Readable, output: Writable, signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) throw interrupted();
  // The terminal edits the line itself, so that Ctrl-C stays a signal.
  const lines = createInterface({ input, output, terminal: false });
  try {
    const ended = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
    const answer = await Promise.race([lines.question(question, { signal }), ended]);
    if (answer === null) output.write("\n");
    return answer === null ? null : answer.trim();
  } catch (error) {
    if (signal.aborted) throw interrupted();
    throw error;
  } finally {
    lines.close();
  }
}

function interrupted(): ToolError {
  return new ToolError("interrupted", "Stopped before anything was applied");
}
