// The effects that a command may use, and nothing else: where it stands, clock, ids, questions, progress. Filled
// by the command line and by the Action; a test fills it with plain functions. Knows no stream and no format.
import type { Effect } from "../plan/plan.ts";
import type { Report } from "../report/report.ts";

/** Questions to a person. Every answer but a clear yes is no. */
export interface Asking {
  /** A question with yes and no. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Approval of a plan that was shown: what rewrites or loses data is approved by typing the environment's name. */
  readonly approve: (environment: string, strongest: Effect) => Promise<boolean>;
}

export interface ProgressState {
  /** What is being done, e.g. `Converting order_date in sales.orders`. */
  readonly what: string;
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** What is counted, plural, e.g. `files`; `bytes` are shown in MiB or GiB. */
  readonly unit: string;
}

export interface Progress {
  /** Cheap: call it as often as something is done. What is quick is never shown. */
  readonly report: (state: ProgressState) => void;
  /** Takes the last state off the screen. */
  readonly end: () => void;
}

export interface CommandContext {
  /** Relative paths of arguments start here; absolute. */
  readonly directory: string;
  /** Of this program. */
  readonly version: string;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `-v`: say more. */
  readonly verbose: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random uuid. */
  readonly randomId: () => string;
  /** Aborted when the user stops the command: finish what must be whole, then throw a ToolError `interrupted`. */
  readonly signal: AbortSignal;
  /** One sentence beside the result, e.g. why something takes long. Not shown with `-q`. */
  readonly note: (sentence: string) => void;
  /** Text for a person while the command runs; never mixed into a result for machines. */
  readonly say: (text: string) => void;
  /** A report for a person before the end, e.g. the plan that a question is about. */
  readonly show: (report: Report) => Promise<void>;
  readonly progress: Progress;
  /** Null where nobody is there to answer. */
  readonly asking: Asking | null;
  /** Of the result: is it a terminal, does it take colour, how many cells has a line. */
  readonly terminal: { readonly isTerminal: boolean; readonly colour: boolean; readonly width: number };
}
