// What started the run, in words that no forge owns. An event is read from a file that the runner wrote, so its ids
// and commits are trusted; names and branches in it are text from outside.
import type { MergeGroup, PullRequest } from "./forge-pull-request.ts";

export type ForgeEvent =
  | {
      readonly kind: "pull-request";
      /** E.g. `opened`, `synchronize`, `closed`. */
      readonly action: string;
      readonly pullRequest: PullRequest;
      /** What is checked out: head and base merged. */
      readonly commit: string;
      /** Only a pull request of the repository's own gets credentials. */
      readonly from: "repository" | "fork" | "dependabot";
    }
  | {
      readonly kind: "push";
      /** Null: a tag. */
      readonly branch: string | null;
      readonly isDefaultBranch: boolean;
      /** Null: the branch is new. */
      readonly before: string | null;
      readonly commit: string;
      readonly isForced: boolean;
    }
  | { readonly kind: "merge-group"; readonly group: MergeGroup }
  | { readonly kind: "schedule" | "manual"; readonly commit: string; readonly branch: string | null }
  /** Runs with the repository's rights on what a stranger may have sent: nothing with credentials may run. */
  | { readonly kind: "privileged"; readonly name: string }
  | { readonly kind: "other"; readonly name: string };
