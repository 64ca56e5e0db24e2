// What the shared tests of broken calls ask of a catalog over a service: its calls by name, what the service says where a
// call fails and what that means, and a look at what is stored. One file a catalog fulfils it. Knows no catalog.
import type { Catalog } from "../../../src/catalog/catalog.ts";
import type { FaultAnswer, HttpFake } from "../../fakes/http-fake.ts";
import { inTurn } from "../../long.ts";

export const ORDERS = { namespace: ["sales"], name: "orders" };

export type Effect = "before" | "after";

/** One way in which a call of the service fails. */
export interface FaultClass {
  readonly answer: FaultAnswer;
  /** The service says that it did nothing. */
  readonly isCertain: boolean;
  /** Sent again by itself where nothing is changed, or where the service said that it did nothing. */
  readonly passes: boolean;
  /** Of the error that is told where it is not sent again. */
  readonly kind: string;
  /** With which the service may say so. */
  readonly effects: readonly Effect[];
}

export interface OpenOptions {
  /** Nothing is waited for by default. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** After which an answer is taken for lost. */
  readonly timeoutMs?: number;
}

/** A call that changes nothing, or whose second try does no harm. */
export interface SafeCall {
  readonly operation: string;
  readonly run: (catalog: Catalog) => Promise<unknown>;
  /** Classes that are tried; absent: all. */
  readonly classes?: (name: string) => boolean;
  /** How many calls fail, where the first is tried again in another way. */
  readonly times?: (name: string) => number;
}

export interface CallSubject extends Pick<HttpFake, "fault" | "counts" | "clearCalls" | "stop"> {
  readonly classes: FaultClasses;
  readonly open: (options?: OpenOptions) => Promise<Catalog>;
  /** Where a new table is asked for; null: the catalog chooses. */
  readonly location: string | null;
  /** How often a commit is sent at most, where the service says each time that it did nothing yet. */
  readonly commitTries: number;
  /** The call that makes a commit live. */
  readonly commitCall: string;
  /** The call that makes a new table live. */
  readonly createCall: string;
  readonly loadCall: string;
  readonly namespaceCall: string;
  /** The class of the errors that tell what the service said. */
  readonly errorName: string;
  readonly safeCalls: readonly SafeCall[];
  /** The state after a commit is read back, and nothing is read before it. */
  readonly readsBack: boolean;
  /** Metadata files of the table that are stored, sorted; null: the service keeps them. */
  readonly files: (() => readonly string[]) | null;
  /** Files of a commit that certainly did nothing are removed. */
  readonly discards: boolean;
  /** The table goes, and its files. */
  readonly clear: () => void;
}

export type FaultClasses = Readonly<Record<string, FaultClass>>;

/** All classes with all their effects, for `it.each`. */
export function matrixOf(classes: FaultClasses, isTried: (name: string) => boolean = () => true): (readonly [string, Effect])[] {
  return Object.entries(classes)
    .filter(([name]) => isTried(name))
    .flatMap(([name, { effects }]) => effects.map((effect) => [name, effect] as const));
}

/** All classes, each with one of its effects, another at each turn; the long form looks at both. */
export function matrixInTurn(
  classes: FaultClasses,
  turn: number,
  isTried: (name: string) => boolean = () => true,
): ReturnType<typeof matrixOf> {
  return Object.entries(classes)
    .filter(([name]) => isTried(name))
    .flatMap(([name, { effects }], index) => inTurn(effects, turn + index).map((effect) => [name, effect] as const));
}

export function classIn(classes: FaultClasses, name: string): FaultClass {
  const found = classes[name];
  if (found === undefined) throw new Error(`No class ${name}`);
  return found;
}

/** With which effects a service that says that it did nothing may say so: only before, but where it did it all the same. */
export const BOTH: readonly Effect[] = ["before", "after"];

export async function gather<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Of a gateway between, in place of the service. */
export function page(status: number): FaultAnswer {
  return { status, headers: { "content-type": "text/html" }, body: "<html><h1>Bad Gateway</h1></html>" };
}
