// A sample of the fault matrix on every catalog: a call of an apply that breaks, and on one of them a program that is killed.
// The whole of it is `npm run faults`; FLOEPLAN_LONG=1 looks at each kind of apply on each catalog. FLOEPLAN_SEED=N repeats a sample that failed; in CI it is the same each time.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultWorld, Turn } from "./faults/fault-world.ts";
import { inTurn, IS_LONG } from "../long.ts";
import { whenBuilt } from "../program/built.ts";
import { saidOn } from "../program/program-run.ts";
import { runProgram } from "../program/run-program.ts";
import { breakPoint, type Matrix, openMatrix, type Way, waysOf } from "./faults/matrix.ts";
import { environmentOf, type ProgramOptions, type ProgramRun } from "./faults/program.ts";
import { declare, type Job, JOBS } from "./faults/project.ts";
import { SUBJECTS } from "./faults/subjects.ts";
import { openProgram, turnPoint } from "./faults/turn-point.ts";

const CI_SEED = 20_261_130;
const seed = Number(
  process.env["FLOEPLAN_SEED"] ?? ((process.env["CI"] ?? "") === "" ? Math.floor(Math.random() * 1e9) : CI_SEED),
);

const TURNS: readonly Turn[] = ["killed before", "killed after", "clock ahead", "clock back"];

describe.each(Object.keys(SUBJECTS).map((subject, at) => ({ subject, at })))(
  `an apply on $subject, sample ${seed}`,
  ({ subject, at }) => {
    const random = randomFrom(seed + subject.length);
    let world: FaultWorld;
    beforeAll(async () => {
      const start = SUBJECTS[subject];
      if (start === undefined) throw new Error(subject);
      world = await start();
    });

    const opened = new Map<Job, Matrix>();
    /** Made once: a broken apply leaves it as it is. */
    const matrixOf = async (job: Job): Promise<Matrix> => {
      const matrix = opened.get(job) ?? (await openMatrix(world, job));
      opened.set(job, matrix);
      return matrix;
    };
    afterAll(async () => await world.stop());

    it.each(inTurn(JOBS, seed + at))("$name ends as if a call had not been broken", async (job) => {
      const matrix = await matrixOf(job);
      const [way, call] = pick(points(matrix, waysOf(world)), random);
      const named = `${way.title}, call ${call} (${matrix.operations[call - 1]})`;
      await expect(breakPoint(matrix, call, way), named).resolves.toBeDefined();
    });

    it.runIf(IS_LONG || (seed + at) % 4 === 0)(
      "ends as if the program had not been killed, and its clock had not jumped",
      async () => {
        const job = pick(inTurn(JOBS, seed + at), random);
        const matrix = await matrixOf(job);
        declare(world.folder, job.declaration);
        const program = await openProgram(matrix, (await whenBuilt()).program, runWarm);
        const turn = pick(TURNS, random);
        const call = 1 + Math.floor(random() * program.operations.length);
        const named = `${job.name}: ${turn}, call ${call} (${program.operations[call - 1]})`;
        await expect(turnPoint(program, call, turn), named).resolves.toBeDefined();
      },
    );
  },
);

async function runWarm({ folder, variables }: ProgramOptions, ...words: readonly string[]): Promise<ProgramRun> {
  const all = environmentOf({ folder, variables });
  const ran = await runProgram("index.js", { folder, variables: all, words, process: "warm" });
  return { exit: ran.exit, signal: null, said: saidOn(ran, "stdout") + saidOn(ran, "stderr") };
}

/** Every call with every way in which it can break. */
function points({ operations }: Matrix, ways: readonly Way[]): readonly (readonly [Way, number])[] {
  return ways.flatMap((way) =>
    operations.flatMap((operation, index) => (way.fits(operation) ? [[way, index + 1] as const] : [])),
  );
}

function pick<T>(of: readonly T[], random: () => number): T {
  const one = of[Math.floor(random() * of.length)];
  if (one === undefined) throw new Error("Nothing to pick from");
  return one;
}

/** Numbers from 0 to below 1 (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
