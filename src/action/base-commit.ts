// What a pull request is compared with: the commit that is planned is head and base merged, and its first parent is what the
// base branch had. Pure.
import type { PullRequest } from "../forge/forge-pull-request.ts";

export function baseCommit([first, second]: readonly string[], pullRequest: PullRequest): string {
  return first !== undefined && second !== undefined ? first : pullRequest.base.commit;
}
