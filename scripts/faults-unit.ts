// A piece of the fault matrix that one process works off: all ways of one kind of apply on one catalog. Prints a line of
// JSON a way.
import type { Turn } from "../test/apply/faults/fault-world.ts";
import { breakPoint, openMatrix, waysOf } from "../test/apply/faults/matrix.ts";
import { JOBS } from "../test/apply/faults/project.ts";
import { SUBJECTS } from "../test/apply/faults/subjects.ts";
import { openProgram, turnPoint } from "../test/apply/faults/turn-point.ts";

export interface FaultUnit {
  readonly subject: string;
  readonly job: string;
  /** The built program is killed, or its clock jumps; else calls are broken in this process. */
  readonly isProgram: boolean;
}

export interface WayCount {
  readonly unit: string;
  readonly way: string;
  readonly points: number;
  readonly failures: readonly string[];
  /** How often the broken apply ended how. */
  readonly ends: Readonly<Record<string, number>>;
}

/** The short ones first, so that something is told soon. */
export const UNITS: readonly FaultUnit[] = [false, true].flatMap((isProgram) =>
  JOBS.flatMap(({ name }) => Object.keys(SUBJECTS).map((subject) => ({ subject, job: name, isProgram }))),
);

export interface UnitOptions {
  /** Where the program was built to. */
  readonly built: string;
  /** The one way that is tried; null: all. */
  readonly only: string | null;
  /** Calls of each way, spread over the apply; null: all. */
  readonly sample: number | null;
}

const TURNS: Readonly<Record<string, Turn>> = {
  "program killed before a call's effect": "killed before",
  "program killed after a call's effect": "killed after",
  "the program's clock jumps ahead": "clock ahead",
  "the program's clock jumps back": "clock back",
};

export async function runUnit({ subject, job: name, isProgram }: FaultUnit, options: UnitOptions): Promise<void> {
  const { built, only, sample } = options;
  const start = SUBJECTS[subject];
  const job = JOBS.find((one) => one.name === name);
  if (start === undefined || job === undefined) throw new Error(`No such unit: ${subject} ${name}`);
  const world = await start();
  const unit = `${subject} ${name}`;
  try {
    const matrix = await openMatrix(world, job);
    if (isProgram) {
      const program = await openProgram(matrix, built);
      for (const [way, turn] of Object.entries(TURNS).filter(([title]) => only === null || title === only))
        await count(unit, way, callsOf(program.operations, sample), (call) => turnPoint(program, call, turn));
      return;
    }
    for (const way of waysOf(world).filter(({ title }) => only === null || title === only))
      await count(unit, way.title, callsOf(matrix.operations, sample, way.fits), (call) => breakPoint(matrix, call, way));
  } finally {
    await world.stop();
  }
}

interface Call {
  /** From 1. */
  readonly number: number;
  readonly operation: string;
}

function callsOf(
  operations: readonly string[],
  sample: number | null,
  fits: (operation: string) => boolean = () => true,
): readonly Call[] {
  const calls = operations.flatMap((operation, index) => (fits(operation) ? [{ number: index + 1, operation }] : []));
  const step = Math.max(1, calls.length / (sample ?? calls.length));
  // Others for each way, so that all ways together reach all calls.
  const start = Math.random() * step;
  const picked: Call[] = [];
  for (let at = start; at < calls.length; at += step) picked.push(...calls.slice(Math.floor(at), Math.floor(at) + 1));
  return picked;
}

async function count(unit: string, way: string, calls: readonly Call[], point: (call: number) => Promise<string>): Promise<void> {
  const failures: string[] = [];
  const ends: Record<string, number> = {};
  for (const { number, operation } of calls) {
    try {
      const end = await point(number);
      ends[end] = (ends[end] ?? 0) + 1;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      failures.push(`call ${number} (${operation}): ${words.slice(0, 2000)}`);
    }
  }
  console.log(JSON.stringify({ unit, way, points: calls.length, failures, ends } satisfies WayCount));
}
