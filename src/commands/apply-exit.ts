// The exit of an apply over many tables: fine, refused, failed, or partly applied.
import type { Outcome, TableResult } from "../apply/result.ts";
import { EXIT_OF_TOOL_ERROR, type ExitName } from "./result.ts";

type Ending = "good" | "nothing" | ExitName;

const ENDING: Readonly<Record<Outcome, Ending>> = {
  applied: "good",
  "dry-run": "nothing",
  "in-step": "nothing",
  left: "nothing",
  blocked: "refused",
  "not-approved": "refused",
  held: "refused",
  conflict: "try-again",
  refused: "failed",
  failed: "failed",
  unknown: "try-again",
  differs: "failed",
};

/** The worst that happened; some applied beside some that did not: partly applied. */
export function exitOfResults(results: readonly TableResult[], asked: number): ExitName {
  const endings = results.map(endingOf);
  const bad = endings.filter((one): one is ExitName => one !== "good" && one !== "nothing");
  const isCut = results.length < asked;
  if (bad.length === 0 && !isCut) return "ok";
  if (endings.includes("good")) return "partly-applied";
  if (isCut) return "interrupted";
  return [...bad].sort((a, b) => rank(b) - rank(a))[0] ?? "failed";
}

function endingOf({ outcome, error }: TableResult): Ending {
  return ENDING[outcome] === "failed" && error !== null ? EXIT_OF_TOOL_ERROR[error.kind] : ENDING[outcome];
}

/** What a person must know first, highest. */
const RANKS: readonly ExitName[] = ["try-again", "refused", "no-permission", "failed"];

function rank(exit: ExitName): number {
  return RANKS.indexOf(exit);
}
