// A failure of the world as a value, where one thing that does not answer must hide no other.
import { ToolError } from "../diagnostics/tool-error.ts";

/** What was asked for, or why it is not to be had; a bug and an interrupt end everything all the same. */
export async function orError<T>(call: () => Promise<T>): Promise<T | ToolError> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ToolError && error.kind !== "internal" && error.kind !== "interrupted") return error;
    throw error;
  }
}
