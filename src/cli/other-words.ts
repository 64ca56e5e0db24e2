// Words that people know from other tools, and the command that does it here. Told, never taken: a guess that changes
// tables must be typed.
export const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  init: ["new", "create", "setup"],
  import: ["export", "adopt", "pull", "dump"],
  validate: ["lint", "check", "test", "verify"],
  fmt: ["format"],
  plan: ["diff", "preview"],
  apply: ["deploy", "migrate", "up", "sync"],
  status: ["list", "ls", "tables", "state"],
  show: ["describe", "desc", "inspect", "schema"],
  rollback: ["undo", "revert", "restore", "down"],
  release: ["unhold", "unlock"],
  abort: ["cancel", "stop"],
};

/** The command that another tool's word stands for, or null. */
export function commandFor(word: string): string | null {
  const typed = word.toLowerCase();
  return Object.entries(OTHER_WORDS).find(([, words]) => words.includes(typed))?.[0] ?? null;
}
