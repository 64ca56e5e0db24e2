// Check runs of a commit: what the merge box shows, and the record that apply reads back. Only own ones are read: any
// app with the right may make a check of any name. Knows nothing of what the texts say.
import type { Severity } from "../diagnostics/diagnostic.ts";
import type { Answer } from "./forge-answer.ts";

export type CheckState = "running" | "success" | "failure" | "neutral" | "skipped" | "cancelled";

/** A finding at a spot of a file of the commit. */
export interface Annotation {
  readonly file: string;
  readonly line: number;
  readonly endLine?: number;
  /** Columns are shown only where first and last line are the same. */
  readonly column?: number;
  readonly endColumn?: number;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
}

export interface CheckOutput {
  /** One line; the list of checks shows it. */
  readonly title: string;
  readonly summary: string;
  /** Null: none. */
  readonly text: string | null;
  /** Added to those that the check has: none can be taken back. */
  readonly annotations: readonly Annotation[];
}

export interface NewCheck {
  readonly name: string;
  readonly commit: string;
  /** Ours alone; two runs never use one. By it a check is found again whose creation got no answer. */
  readonly externalId: string;
  readonly state: CheckState;
  readonly output: CheckOutput;
  readonly detailsUrl: string | null;
}

export interface Check {
  readonly id: number;
  readonly name: string;
  readonly commit: string;
  readonly externalId: string | null;
  /** `other`: a state that we never write. */
  readonly state: CheckState | "other";
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
  readonly url: string | null;
}

export interface Checks {
  /** The newest of that name that the token's own app made on the commit, or null. */
  readonly latest: (commit: string, name: string) => Promise<Answer<Check | null>>;
  /** Whole or not at all for a reader: it is `running` until the last of its annotations is there. */
  readonly create: (check: NewCheck) => Promise<Answer<Check>>;
  readonly update: (id: number, change: Pick<NewCheck, "state" | "output">) => Promise<Answer<Check>>;
}
