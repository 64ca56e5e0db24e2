// The two ways a Parquet file is turned away: it breaks the format, or it uses a part of it that is not read
// here. Knows no part of the format itself.
import { ToolError, type ToolErrorParts } from "../diagnostics/tool-error.ts";

/** The bytes break the format. `why` is one sentence that names the broken part. */
export function corrupt(why: string, context: NonNullable<ToolErrorParts["context"]> = {}): ToolError {
  return new ToolError("corrupt", "Cannot read the Parquet file", {
    why,
    mend: "Restore the file from a copy, or remove it from the table with the engine that wrote it",
    context,
  });
}

/** The bytes are well formed and use something that is not supported here. */
export function unsupported(why: string, context: NonNullable<ToolErrorParts["context"]> = {}): ToolError {
  return new ToolError("unsupported", "Cannot read the Parquet file", {
    why,
    mend: "Rewrite the file with its own engine without this feature, then try again",
    context,
  });
}
