// What Ctrl-C does: a command that only reads stops at once; one that writes finishes what must be whole, and a
// second Ctrl-C stops it too. The journal makes both safe.
import { ToolError } from "../diagnostics/tool-error.ts";

/** Calls the handler at each interrupt; the answer takes it off again. */
export type Interrupts = (handler: () => void) => () => void;

export interface InterruptWatch {
  readonly signal: AbortSignal;
  /** The work's own answer, unless the interrupt ends the waiting first. */
  readonly race: <T>(work: Promise<T>) => Promise<T>;
  readonly end: () => void;
}

const JOURNAL = "The journal is kept: the same command goes on where it stopped";

export function watchInterrupt(
  interrupts: Interrupts,
  manner: "at-once" | "finish",
  say: (sentence: string) => void,
): InterruptWatch {
  const controller = new AbortController();
  let stop: (error: ToolError) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = reject;
  });
  // Nobody may be waiting when the interrupt comes.
  stopped.catch(() => undefined);
  let count = 0;
  const unsubscribe = interrupts(() => {
    count += 1;
    controller.abort();
    if (manner === "at-once") stop(new ToolError("interrupted", "Interrupted"));
    else if (count > 1) stop(new ToolError("interrupted", "Interrupted", { why: JOURNAL }));
    else say(`Interrupted: finishing what is being written. ${JOURNAL}. Ctrl-C again stops at once.`);
  });
  return {
    signal: controller.signal,
    race: async (work) => {
      try {
        return await Promise.race([work, stopped]);
      } catch (error) {
        // Whatever gives up because of the signal was interrupted, not broken.
        if (controller.signal.aborted && isAbort(error))
          throw new ToolError("interrupted", "Interrupted", { why: JOURNAL, cause: error });
        throw error;
      }
    },
    end: unsubscribe,
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
