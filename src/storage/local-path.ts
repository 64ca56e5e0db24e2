// The path on this machine that a location means, or a refusal that says why not. The spellings that mean one
// path are iceberg/location.ts's (no percent-decoding, as Hadoop 3.4.1 and PyIceberg do it); nothing here
// touches the disk.
import { ToolError } from "../diagnostics/tool-error.ts";
import { localPath } from "../iceberg/location.ts";

/** Absolute and folded. A relative path, another scheme or the name of a host is refused. */
export function pathOf(location: string): string {
  const path = localPath(location);
  if (path !== null && !path.includes("\0")) return path;
  throw new ToolError("unsupported", `Cannot use ${JSON.stringify(location)} as a location of this machine`, {
    why: "Such a location is an absolute path, with or without `file:` or `file://` before it",
  });
}
