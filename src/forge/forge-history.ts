// Commits as the forge knows them: a shallow checkout knows only its own.
import type { Answer } from "./forge-answer.ts";

/** Where `head` stands, seen from `base`: ahead means that it descends from it. */
export type Relation = "same" | "ahead" | "behind" | "diverged";

export interface History {
  readonly relation: (base: string, head: string) => Promise<Answer<Relation>>;
  /** Of a commit, the first one first; a merge has several. */
  readonly parents: (commit: string) => Promise<Answer<readonly string[]>>;
  /** The newest commit of a branch. */
  readonly tip: (branch: string) => Promise<Answer<string>>;
  /** The text of a file at a commit; null where no file of that path is there. */
  readonly fileText: (commit: string, path: string) => Promise<Answer<string | null>>;
  /** All files of a commit: path → Git's hash of the text (`blob`). Links and modules are no files. */
  readonly files: (commit: string) => Promise<Answer<ReadonlyMap<string, string>>>;
}
