// Commits as the forge knows them: a shallow checkout knows only its own.
import type { Answer } from "./forge-answer.ts";

/** Where `head` stands, seen from `base`: ahead means that it descends from it. */
export type Relation = "same" | "ahead" | "behind" | "diverged";

export interface History {
  readonly relation: (base: string, head: string) => Promise<Answer<Relation>>;
  /** The newest commit of a branch. */
  readonly tip: (branch: string) => Promise<Answer<string>>;
  /** The text of a file at a commit; null where no file of that path is there. */
  readonly fileText: (commit: string, path: string) => Promise<Answer<string | null>>;
}
