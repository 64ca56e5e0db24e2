// Locations as texts in table metadata: which spellings mean one object, how one is taken apart and joined.
// Pure text; knows neither stores nor disks.
//
// Nothing is percent-decoded: Hadoop's Path, Iceberg's FileIOs and PyIceberg all take `%20` in a location as
// three characters of the name (partition values stand in folder names URL-encoded, and stay so).
import { ToolError } from "../diagnostics/tool-error.ts";

interface LocationParts {
  /** Lower case; empty for a bare path. */
  readonly scheme: string;
  /** Bucket or host; null when the text has no `//`. */
  readonly authority: string | null;
  readonly path: string;
}

/** One object under three names: S3 is asked through `s3`, and through Hadoop's two connectors. */
const S3_SCHEMES: ReadonlySet<string> = new Set(["s3", "s3a", "s3n"]);

/**
 * The text by which locations are compared: `/x`, `file:/x` and `file:///x` have one key, `s3`, `s3a` and `s3n`
 * as well. Local paths lose repeated slashes and dot segments as on disk; object keys are kept as they are.
 * A trailing slash never counts.
 */
export function locationKey(location: string): string {
  const path = localPath(location);
  if (path !== null) return path;
  const { scheme, authority, path: key } = splitLocation(location);
  if (scheme === "") return withoutTrailingSlash(location);
  const canonical = S3_SCHEMES.has(scheme) ? "s3" : scheme;
  return withoutTrailingSlash(`${canonical}:${authority === null ? "" : `//${authority}`}${key}`);
}

export function sameLocation(a: string, b: string): boolean {
  return a === b || locationKey(a) === locationKey(b);
}

/** Is `location` the folder itself or something below it? */
export function isWithin(folder: string, location: string): boolean {
  const outer = locationKey(folder);
  const inner = locationKey(location);
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

/** The path on the local disk, normalised; null when the location is not a local absolute one. */
export function localPath(location: string): string | null {
  const { scheme, authority, path } = splitLocation(location);
  if (scheme !== "" && scheme !== "file") return null;
  if (authority !== null && authority !== "" && authority !== "localhost") return null;
  return path.startsWith("/") ? normalizePath(path) : null;
}

/** Scheme in lower case, empty for a bare path. */
export function locationScheme(location: string): string {
  return splitLocation(location).scheme;
}

/**
 * `base` and names below it, in the spelling of `base`. A name may hold slashes; one that is empty, absolute or
 * climbs (`.`, `..`) is refused, so the result always lies within `base`.
 */
export function joinLocation(base: string, ...names: readonly string[]): string {
  for (const name of names) {
    const climbs = name.split("/").some((segment) => segment === "" || segment === "." || segment === "..");
    if (climbs || name.includes("\0")) {
      throw new ToolError("refused", `Cannot make a location from the name "${name}"`, {
        why: "A name below a table must not be empty, start with a slash or climb out of its folder",
        context: { base },
      });
    }
  }
  const stem = withoutTrailingSlash(base);
  return [stem === "/" ? "" : stem, ...names].join("/");
}

/** The folder that holds this object, in the same spelling; null at the root of a disk or bucket. */
export function parentLocation(location: string): string | null {
  const stem = withoutTrailingSlash(location);
  const rootEnd = stem.length - splitLocation(stem).path.length;
  const slash = stem.lastIndexOf("/");
  if (slash < rootEnd || stem === "/") return null;
  return slash === 0 ? "/" : stem.slice(0, slash);
}

/** The name after the last slash; empty at a root. */
export function lastPart(location: string): string {
  const { path } = splitLocation(withoutTrailingSlash(location));
  return path.slice(path.lastIndexOf("/") + 1);
}

function splitLocation(location: string): LocationParts {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/]*))?/.exec(location);
  if (match === null) return { scheme: "", authority: null, path: location };
  return { scheme: (match[1] ?? "").toLowerCase(), authority: match[2] ?? null, path: location.slice(match[0].length) };
}

function withoutTrailingSlash(location: string): string {
  const { path } = splitLocation(location);
  let end = location.length;
  const least = location.length - path.length;
  while (end > least && location.charCodeAt(end - 1) === 0x2f) end--;
  return end === 0 && location.length > 0 ? "/" : location.slice(0, end);
}

// As java.net.URI does for Hadoop's Path, except that a leading `..` has nowhere to go and is dropped, as on disk.
function normalizePath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}
