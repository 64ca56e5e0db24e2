// The streams: the result on standard output, notes and progress on standard error. A reader that goes away
// (EPIPE) stops the writing, never the work. Secrets are taken out of everything but what redacts itself.
import type { Writable } from "node:stream";
import { redact } from "../diagnostics/redact.ts";
import { ToolError } from "../diagnostics/tool-error.ts";

export interface Output {
  /** Text of the result. `isRedacted`: the format took secrets out itself. */
  readonly result: (text: string, isRedacted?: boolean) => void;
  /** Text beside the result. */
  readonly note: (text: string) => void;
  /** Resolves when everything is handed over; throws when the result could not be written. */
  readonly flush: () => Promise<void>;
}

/** `beforeWrite` takes a status line off the screen. */
export function createOutput(stdout: Writable, stderr: Writable, beforeWrite: () => void): Output {
  const result = guarded(stdout);
  const notes = guarded(stderr);
  return {
    result: (text, isRedacted = false) => {
      beforeWrite();
      result.write(isRedacted ? text : redact(text));
    },
    note: (text) => {
      beforeWrite();
      notes.write(redact(text));
    },
    flush: async () => {
      await Promise.all([result.flushed(), notes.flushed()]);
      const failure = result.failure();
      if (failure !== null)
        throw new ToolError("storage-full", "Cannot write the result to standard output", { why: failure.message });
    },
  };
}

interface Guarded {
  readonly write: (text: string) => void;
  readonly flushed: () => Promise<void>;
  /** What went wrong, a reader that is gone apart. */
  readonly failure: () => Error | null;
}

function guarded(stream: Writable): Guarded {
  let failed: NodeJS.ErrnoException | null = null;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failed ??= error;
  });
  return {
    write: (text) => {
      if (failed === null && text !== "") stream.write(text);
    },
    flushed: async () => {
      if (failed !== null || stream.destroyed) return;
      await new Promise<void>((resolve) => {
        stream.write("", () => resolve());
      });
    },
    failure: () => (failed === null || isReaderGone(failed) ? null : failed),
  };
}

function isReaderGone(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
}
