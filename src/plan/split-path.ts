// Segments of a path that we formatted ourselves.
import { bug } from "../diagnostics/tool-error.ts";
import { parsePath } from "../iceberg/field-path.ts";

export function splitPath(path: string): readonly string[] {
  if (path === "") return [];
  const segments = parsePath(path);
  if (!Array.isArray(segments)) throw bug("A path of ours does not parse", { path });
  return segments;
}
