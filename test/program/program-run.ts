// A run of the built program, as it is asked for and as it ended.
export interface ProgramWords {
  /** The file of the bundle. */
  readonly program: string;
  readonly folder: string;
  /** All that the program sees. */
  readonly variables: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

export interface ProgramRun {
  /** Null: ended by a signal. */
  readonly exit: number | null;
  /** In the order in which it was written. */
  readonly said: readonly { readonly stream: "stdout" | "stderr"; readonly text: string }[];
}

export function saidOn(run: ProgramRun, stream: "stdout" | "stderr"): string {
  return run.said.map((one) => (one.stream === stream ? one.text : "")).join("");
}
