// Sends one entry to Glue, and sorts the answer: again where Glue certainly did nothing and may the next time,
// shortened where the whole is too large. Knows entries and answers, not what they are for.
import { isPassing, isSkewed } from "./aws-error.ts";
import { clauseOf } from "../diagnostics/tool-error.ts";
import type { GlueTableInput } from "../iceberg/glue-entry.ts";
import { shortened } from "../iceberg/glue-input.ts";
import { fitting } from "../iceberg/glue-state.ts";
import { GlueError } from "./glue-error.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import type { SwapAnswer } from "./metadata-pointer-swap.ts";

/** Waits between tries of a call that Glue turned away without doing anything. */
const WAITS_MS = [200, 800, 3200] as const;

/** Throws where Glue did not say whether it did it. */
export async function sendEntry(
  { wait: pause }: Pick<CatalogPorts, "wait">,
  whole: GlueTableInput,
  call: (input: GlueTableInput) => Promise<void>,
): Promise<SwapAnswer> {
  let input = fitting(whole);
  for (let attempt = 0; ; ) {
    try {
      await call(input);
      return { state: "swapped", token: null };
    } catch (error) {
      if (!(error instanceof GlueError) || !error.isCertain) throw error;
      const wait = WAITS_MS[attempt];
      if (isTooLarge(error) && input === whole) {
        input = shortened(whole);
      } else if ((isPassing(error) || isSkewed(error)) && wait !== undefined) {
        await pause(wait);
        attempt++;
      } else {
        return refusal(error);
      }
    }
  }
}

function isTooLarge(error: GlueError): boolean {
  return error.kind === "refused" && /payload size/i.test(error.why ?? "");
}

function refusal(error: GlueError): SwapAnswer {
  if (error.code === "AlreadyExistsException") return { state: "conflict", why: "A table of this name exists already" };
  if (error.code === "ConcurrentModificationException")
    return { state: "conflict", why: "Another writer committed since the table was read" };
  // It did nothing: reading and trying again is all it takes.
  if (isPassing(error)) return { state: "conflict", why: clauseOf(error) };
  const mend = error.mend === undefined ? "" : `. ${error.mend}`;
  return { state: "refused", why: `${clauseOf(error)}${mend}`, cause: error };
}
