// A change that the product proposes: files on a branch of its own, and a pull request from it.
import type { Answer } from "./forge-answer.ts";

export interface Proposal {
  /** Ours alone: it is moved to the new commit, whatever it held. */
  readonly branch: string;
  readonly base: { readonly branch: string; readonly commit: string };
  /** Path → text. */
  readonly files: ReadonlyMap<string, string>;
  /** Of the commit and of the pull request. */
  readonly title: string;
  readonly body: string;
}

export interface Proposed {
  readonly number: number;
}

export interface Proposals {
  /** A pull request of that branch that is open is kept, with the new text; else one is opened. */
  readonly propose: (proposal: Proposal) => Promise<Answer<Proposed>>;
}
