// Runs of workflows and the environments that guard them: whether a record comes from our workflow, and whether a
// second person has let this run through.
import type { Answer } from "./forge-answer.ts";

export interface Run {
  readonly id: number;
  /** The workflow's file, e.g. `.github/workflows/plan.yml`. */
  readonly workflowFile: string;
  readonly event: string;
  readonly commit: string;
  readonly url: string;
}

/** A person's word on a run that waited for it. */
export interface RunApproval {
  readonly login: string;
  readonly isApproved: boolean;
  /** The environments that it was about. */
  readonly environments: readonly string[];
}

export interface RunEnvironment {
  readonly name: string;
  /** Somebody must let each run through. */
  readonly hasReviewers: boolean;
  /** Branches that may use it. */
  readonly deploysFrom: "any" | "protected" | "listed";
}

export interface Runs {
  readonly get: (id: number) => Promise<Answer<Run>>;
  readonly approvals: (id: number) => Promise<Answer<readonly RunApproval[]>>;
  readonly environment: (name: string) => Promise<Answer<RunEnvironment>>;
}
