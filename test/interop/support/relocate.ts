// Copies Iceberg tables of the Hadoop layout elsewhere with every path in them rewritten, by a program that shares no
// code with floeplan.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runToEnd } from "./child.ts";
import { PROGRAMS } from "./places.ts";
import { pythonEnvironment } from "./python.ts";

export interface TableMove {
  /** The table's folder, left as it is. */
  readonly source: string;
  /** The copy's folder; must not exist. */
  readonly target: string;
  /** The location that the table was written at. */
  readonly from: string;
  /** The location to be written into the copy; its folder unless said otherwise. */
  readonly to?: string;
}

export async function relocateTables(moves: readonly TableMove[]): Promise<void> {
  const { python } = await pythonEnvironment("light");
  for (const { target } of moves) await mkdir(dirname(target), { recursive: true });
  const jobs = moves.map(({ source, target, from, to = target }) => ({ source, target, from, to }));
  await runToEnd({ name: "relocate", command: [python, join(PROGRAMS, "relocate.py"), JSON.stringify(jobs)] });
}
