// What the product needs of a forge, and nothing more: another forge is one more file that makes a `Forge`. Knows
// neither how a plan is written in Markdown nor what a check's text means.
import type { Checks } from "./forge-check.ts";
import type { Comments } from "./forge-comment.ts";
import type { History } from "./forge-history.ts";
import type { Issues } from "./forge-issue.ts";
import type { People } from "./forge-people.ts";
import type { Proposals } from "./forge-proposal.ts";
import type { PullRequests } from "./forge-pull-request.ts";
import type { Runs } from "./forge-run.ts";

/** The most that is taken; longer texts are answered by `too-long`. */
export interface ForgeLimits {
  /** Of a comment's or issue's text, in UTF-16 units. */
  readonly body: number;
  /** Of a check's summary and of its text, each, in bytes of UTF-8. */
  readonly checkText: number;
}

/** Addresses for people, made of the forge's own address alone. */
export interface ForgeLinks {
  /** What stands before a file's path, for a commit; ends with a slash. */
  readonly files: (commit: string) => string;
  readonly pullRequest: (number: number) => string;
  readonly run: (id: string) => string;
}

export interface Forge {
  /** For messages: `GitHub`. */
  readonly name: string;
  /** `owner/name` of the repository that all calls are about. */
  readonly repository: string;
  readonly limits: ForgeLimits;
  readonly links: ForgeLinks;
  readonly people: People;
  readonly pullRequests: PullRequests;
  readonly comments: Comments;
  readonly checks: Checks;
  readonly issues: Issues;
  readonly history: History;
  readonly proposals: Proposals;
  readonly runs: Runs;
}
