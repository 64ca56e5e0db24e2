// What only tells people of a plan or an apply. The forge may be down while it is told: that is said, and ends nothing,
// since the plan stands in its record and what was applied is applied.
import { ToolError, type ToolErrorKind } from "../diagnostics/tool-error.ts";
import type { ActionContext } from "./context.ts";
import { errorText } from "./sentences.ts";

const ENDS: ReadonlySet<ToolErrorKind> = new Set(["interrupted", "internal"]);

/** `otherwise`: what counts where it could not be told. */
export async function telling<T>({ log }: Pick<ActionContext, "log">, otherwise: T, tell: () => Promise<T>): Promise<T> {
  try {
    return await tell();
  } catch (error) {
    if (!(error instanceof ToolError) || ENDS.has(error.kind)) throw error;
    log.warn(errorText(error));
    return otherwise;
  }
}
