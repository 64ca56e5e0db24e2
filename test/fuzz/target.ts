// What a fuzz target is: it makes an input of a number, and uses it as the product would. Bytes in all cases, so that
// any input can be kept as a file and used again.
import type { Random } from "./random.ts";
import type { SeedFile } from "./seeds.ts";

/** What became of an input: `accepted`, or `refused: CODE`. */
export type Outcome = string;

export const ACCEPTED: Outcome = "accepted";

export function refused(code: string): Outcome {
  return `refused: ${code}`;
}

export interface FuzzTarget {
  readonly name: string;
  /** What it holds, for people. */
  readonly about: string;
  /** Is the file one that inputs are made from? */
  readonly isSeed: (file: SeedFile) => boolean;
  readonly open: (seeds: readonly SeedFile[]) => Promise<OpenTarget> | OpenTarget;
}

export interface OpenTarget {
  readonly make: (random: Random) => Uint8Array;
  /** Throws ToolError for what is refused by the world's road, `WrongAcceptance` for a finding; anything else is one too. */
  readonly use: (input: Uint8Array) => Promise<Outcome> | Outcome;
}

/** The product took an input for good and then did not do right by it. */
export class WrongAcceptance extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WrongAcceptance";
  }
}
