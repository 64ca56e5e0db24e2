// Comments of a pull request or issue. Only own ones are seen, by author and by marker: anybody may write a marker,
// and whoever may write to the repository may edit any text. Knows nothing of what the texts say.
import type { Answer } from "./forge-answer.ts";

export interface Comment {
  readonly id: number;
  /** As it stands now: a person may have edited it. */
  readonly body: string;
  readonly url: string;
}

export interface Comments {
  /**
   * Comments of the token's own whose text begins with the marker, oldest first. Null: who the token is cannot be
   * told before it has written something.
   */
  readonly own: (number: number, marker: string) => Promise<Answer<readonly Comment[] | null>>;
  /** Sent once: where no answer comes, it throws, and the comment may be there or not. */
  readonly create: (number: number, body: string) => Promise<Answer<Comment>>;
  readonly update: (id: number, body: string) => Promise<Answer<Comment>>;
  readonly remove: (id: number) => Promise<Answer<null>>;
}
