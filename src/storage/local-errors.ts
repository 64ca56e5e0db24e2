// Turns what the operating system says into a ToolError with a mend. Knows errno codes; knows nothing of
// tables or of what the file was for.
import { ToolError, type ToolErrorKind } from "../diagnostics/tool-error.ts";

interface Meaning {
  readonly kind: ToolErrorKind;
  readonly why: string;
  readonly mend?: string;
}

const OUT_OF_HANDLES: Meaning = {
  kind: "unavailable",
  why: "Too many files are open",
  mend: "Raise the limit of open files (`ulimit -n`), or try again",
};
const NO_ROOM: Meaning = {
  kind: "storage-full",
  why: "There is no room left",
  mend: "Free some space and run the same command again",
};
const PARENT_IS_FILE: Meaning = { kind: "refused", why: "A part of the path that must be a folder is a file" };

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOENT: { kind: "not-found", why: "Nothing has this name" },
  EACCES: {
    kind: "auth",
    why: "The user that runs this has no permission",
    mend: "Give it the right to the file and its folder",
  },
  EPERM: { kind: "auth", why: "The operating system does not permit it to the user that runs this" },
  EROFS: { kind: "auth", why: "The file system is mounted read-only", mend: "Mount it writable, or choose another place" },
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EMFILE: OUT_OF_HANDLES,
  ENFILE: OUT_OF_HANDLES,
  EISDIR: { kind: "refused", why: "A folder has this name" },
  ENOTDIR: PARENT_IS_FILE,
  EEXIST: PARENT_IS_FILE,
  ENAMETOOLONG: { kind: "refused", why: "A name in the path is longer than the file system takes" },
  ELOOP: { kind: "refused", why: "The links in the path lead in a circle" },
  EFBIG: { kind: "refused", why: "The file would be larger than the file system takes" },
};

/** The errno code of a failed call, if it has one. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Nothing has that name: the file is not there, or a folder above it is not one. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** `verb` as in "Cannot <verb> "/x/y"". A ToolError is handed on as it is. */
export function storageError(verb: string, location: string, error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const code = errorCode(error);
  const meaning = code === null ? undefined : MEANINGS[code];
  return new ToolError(meaning?.kind ?? "unavailable", `Cannot ${verb} "${location}"`, {
    why: meaning?.why ?? (error instanceof Error ? error.message : String(error)),
    ...(meaning?.mend === undefined ? {} : { mend: meaning.mend }),
    context: code === null ? {} : { code },
    cause: error,
  });
}

/** Runs one piece of file work and turns its failure into a ToolError. */
export async function withStorageErrors<T>(verb: string, location: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageError(verb, location, error);
  }
}

/** Fewer bytes are there than were asked for. */
export function shortRead(location: string, offset: number, wanted: number, found: number): ToolError {
  return new ToolError("corrupt", `Cannot read "${location}"`, {
    why: `${wanted} bytes were asked for from offset ${offset}, and ${found} are there: the file is shorter than it must be`,
    context: { offset, wanted, found },
  });
}
