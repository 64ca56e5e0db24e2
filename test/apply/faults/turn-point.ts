// One point at which the built program is killed in the middle of an apply, or its clock jumps: the table is whole, and the
// next apply ends where an undisturbed one does. Knows no catalog.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectFinished, type Matrix } from "./matrix.ts";
import { jumpOf, type Turn } from "./fault-world.ts";
import { runProgram } from "./program.ts";

export interface ProgramMatrix {
  readonly matrix: Matrix;
  readonly built: string;
  /** Calls of the apply in a process of its own, in order. */
  readonly operations: readonly string[];
}

const PLAN = "plan.json";
const APPLY = ["apply", "--plan", PLAN] as const;

/**
 * `built`: where the program was built to. Plans once: the table that is put back is the same each time. `runPlan`: in
 * another way than in a process of its own.
 */
export async function openProgram(
  matrix: Matrix,
  built: string,
  runPlan: typeof runProgram = runProgram,
): Promise<ProgramMatrix> {
  const { world, job } = matrix;
  const { folder, variables } = world;
  await world.reset(job.isNew);
  const plan = await runPlan({ built, folder, variables }, "plan", "--out", PLAN);
  assert.equal(plan.exit, 0, plan.said);
  const text = readFileSync(join(folder, PLAN));
  const point = await world.turnAt(0, "killed before");
  const { exit, said } = await runProgram(
    { built, folder, variables: { ...variables, ...point.variables }, nodeOptions: point.nodeOptions },
    ...APPLY,
  );
  const operations = point.end();
  assert.equal(exit, 0, said);
  await expectFinished(matrix, new Map(), false);
  writeFileSync(join(folder, PLAN), text);
  return { matrix, built, operations };
}

/** Throws where something does not hold; the answer is how the process ended. */
export async function turnPoint({ matrix, built }: ProgramMatrix, call: number, turn: Turn): Promise<string> {
  const { world, job } = matrix;
  await world.reset(job.isNew);
  const before = world.objects();
  const point = await world.turnAt(call, turn);
  const { exit, signal, said } = await runProgram(
    {
      built,
      folder: world.folder,
      variables: { ...world.variables, ...point.variables },
      nodeOptions: point.nodeOptions,
      onStart: point.onStart,
    },
    ...APPLY,
  );
  point.end();
  // The last call may have been answered before the signal came; where the clock jumps back, an apply may be refused.
  if (jumpOf(turn) === 0) assert.ok(signal === "SIGKILL" || exit === 0, said);
  else assert.ok(signal === null && (exit === 0 || jumpOf(turn) < 0), said);
  await expectFinished(matrix, before, false);
  return signal === null ? `exit ${exit}` : "killed";
}
