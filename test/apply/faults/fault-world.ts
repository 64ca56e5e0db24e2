// What the fault matrix asks of a catalog that it breaks: one table that can be put back as it was, a look at it past the
// product, its calls by number, and ways to break one. One file a catalog fulfils it. Knows no catalog.
import type { Catalog } from "../../../src/catalog/catalog.ts";
import type { Json, JsonMap } from "../../fakes/rest-json.ts";

/** The table of all worlds. */
export const TABLE = { namespace: ["hr"], name: "iceberg_employee" } as const;

/** The property that another writer sets. */
export const FOREIGN = "foreign.mark";

export interface FaultWay {
  readonly title: string;
  readonly fits: (operation: string) => boolean;
  /** Tried also while another writer commits: it is not clear what became of the call. */
  readonly isDoubt: boolean;
}

/** The way in which a call ends well, for what happens beside it. */
export const UNBROKEN = "unbroken";

/** A break that is armed. */
export interface ArmedBreak {
  /** Did it come to it? */
  readonly hasBroken: () => boolean;
  /** Later calls pass again. */
  readonly isPassing: boolean;
  readonly heal: () => void;
}

export interface BreakEvents {
  /** Right before the call is broken. */
  readonly onBreak?: () => void;
  /** Right before the call after it. */
  readonly onNext?: () => void;
}

export interface FaultWorld {
  readonly catalog: Catalog;
  /** A project that declares the table in this catalog, for `loadProject` and for the built program. */
  readonly folder: string;
  /** For the built program. */
  readonly variables: Readonly<Record<string, string>>;
  /** The ways in which this catalog's calls break, and the operations that each is for. */
  readonly ways: readonly FaultWay[];
  /** The clock of the product, off by so much from now on. */
  readonly setClock: (offsetMs: number) => void;
  readonly nowMs: () => number;
  /** Puts the table back as another engine left it, or takes it away. */
  readonly reset: (isNew: boolean) => Promise<void> | void;
  /** The document that the catalog points to; null: there is no table, or an empty one. */
  readonly metadata: () => { readonly location: string; readonly document: JsonMap } | null;
  /** All that is stored of the table, by location. */
  readonly objects: () => ReadonlyMap<string, Uint8Array>;
  /** What else the catalog keeps of the table, and must hold after an apply. */
  readonly beside: () => Json;
  /** Another writer's commit on top of what is live: it sets the property FOREIGN. False: there is no table yet. */
  readonly commitForeign: () => Promise<boolean>;
  /** Notes the calls from now on; the answer ends it and gives their operations in order. */
  readonly record: () => () => readonly string[];
  /** Breaks the call of this number from now on, counted from 1. */
  readonly breakCall: (number: number, way: string, events: BreakEvents) => ArmedBreak;
  /** What an apply that ended in order must not leave behind: files and uploads that were never finished. */
  readonly litter: () => readonly string[];
  /** Arms a turn for a process at its call of this number; 0: none, its calls are only noted. */
  readonly turnAt: (number: number, turn: Turn) => Promise<TurnPoint>;
  readonly stop: () => Promise<void>;
}

/** The process is killed before the call has its effect, or after it; or its clock jumps by hours. */
export type Turn = "killed before" | "killed after" | "clock ahead" | "clock back";

const JUMP_MS = 5 * 3_600_000;

/** By how much the clock is off from then on. */
export function jumpOf(turn: Turn): number {
  return turn === "clock ahead" ? JUMP_MS : turn === "clock back" ? -JUMP_MS : 0;
}

/** How a started program meets its turn: by what it is started with, or by a signal from outside. */
export interface TurnPoint {
  /** Words before the program's file. */
  readonly nodeOptions: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly onStart: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Disarms; the operations that the process made, in order. */
  readonly end: () => readonly string[];
}
