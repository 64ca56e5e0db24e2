// Issues that the product keeps: found by marker and author, opened, changed, closed, opened again.
import type { Answer } from "./forge-answer.ts";
import type { Comment } from "./forge-comment.ts";

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly url: string;
}

/** What an issue is found by. */
export interface IssueMark {
  /** Its text begins so. */
  readonly marker: string;
  readonly label: string;
}

export interface Issues {
  /**
   * The token's own issue of that mark: the oldest that is open, else the newest that is closed, else null. An open
   * one is found also without its label.
   */
  readonly find: (mark: IssueMark) => Promise<Answer<Issue | null>>;
  /** The text begins with the marker. Where no answer comes, it is looked for before it is made again. */
  readonly create: (issue: { readonly title: string; readonly body: string; readonly mark: IssueMark }) => Promise<Answer<Issue>>;
  readonly update: (
    number: number,
    change: { readonly title?: string; readonly body?: string; readonly isOpen?: boolean },
  ) => Promise<Answer<Issue>>;
  readonly comment: (number: number, body: string) => Promise<Answer<Comment>>;
}
