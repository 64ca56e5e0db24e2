// The ports of a command, filled for a job: nobody to ask, notes and progress as lines of the log.
import type { CommandContext } from "../commands/ports.ts";
import type { StatusLine } from "../cli/progress.ts";
import { renderTerminal } from "../report/formats/terminal.ts";
import type { Log } from "./log.ts";
import type { Runner } from "./runner.ts";

/** A job's log scrolls sideways beyond this. */
export const LOG_WIDTH = 140;

export interface PortParts {
  readonly runner: Runner;
  readonly log: Log;
  readonly progress: StatusLine;
  readonly signal: AbortSignal;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly now: () => number;
  readonly randomId: () => string;
}

export function commandContext(parts: PortParts): CommandContext {
  const { runner, log, progress, signal, variables, version, now, randomId } = parts;
  return {
    directory: runner.workspace,
    version,
    variables,
    verbose: false,
    now,
    randomId,
    signal,
    note: log.say,
    say: log.write,
    show: async (report) => {
      await Promise.resolve();
      log.write(renderTerminal(report, { width: LOG_WIDTH, colour: false, verbose: false }));
    },
    progress,
    asking: null,
    terminal: { isTerminal: false, colour: false, width: LOG_WIDTH },
  };
}
