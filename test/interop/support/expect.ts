// A suite of checks: prints one line a check (`ok …`, `not ok …`, `skip …`), which scripts/interop.ts counts, and ends
// with everything stopped. Knows no engine.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "./install.ts";
import { atEnd, stopAll, stopOnSignals } from "./lifetime.ts";
import type { RowSet } from "./rows.ts";

export interface Suite {
  /** `--long`: also what takes minutes. */
  readonly isLong: boolean;
  /** A folder for the suite's files. Removed at the end, unless a check failed or `--keep` was given. */
  readonly scratch: string;
  /** A check fails when its body throws; `skip` ends it otherwise. The answer is the body's, null where it did not come to it. */
  readonly check: <T>(name: string, body: () => Promise<T> | T) => Promise<T | null>;
}

/** Ends a check, or a suite before its first check, without judging. */
export function skip(reason: string): never {
  throw new Skipped(reason);
}

class Skipped extends Error {}

export async function runSuite(name: string, body: (suite: Suite) => Promise<void>): Promise<void> {
  stopOnSignals();
  const started = performance.now();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const check = async <T>(title: string, run: () => Promise<T> | T): Promise<T | null> => {
    const from = performance.now();
    try {
      const answer = await run();
      counts.passed += 1;
      print(`ok ${title} (${seconds(from)})`);
      return answer;
    } catch (error) {
      if (error instanceof Skipped) {
        counts.skipped += 1;
        print(`skip ${title}: ${error.message}`);
      } else {
        counts.failed += 1;
        print(`not ok ${title} (${seconds(from)})\n${indented(error)}`);
      }
      return null;
    }
  };
  const scratch = await mkdtemp(join(tmpdir(), `floeplan-${name}-`));
  // Registered first, so removed last: processes may still write there.
  const keepScratch = atEnd("the scratch folder", async () => await rm(scratch, { recursive: true, force: true }));
  // A check of its own: also what breaks outside the checks is one line, and counted.
  try {
    await body({ isLong: process.argv.includes("--long"), scratch, check });
  } catch (error) {
    await check(`${name} runs to its end`, () => {
      throw error;
    });
  }
  if (counts.failed > 0 || process.argv.includes("--keep")) {
    keepScratch();
    say(`${name}: files are in ${scratch}`);
  }
  await stopAll();
  say(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds(started)}`);
  process.exit(counts.failed === 0 ? 0 : 1);
}

/** The same rows, in any order, and the same column types. */
export function sameRows(actual: RowSet, expected: RowSet): void {
  sameTypes(actual.types, expected.types);
  if (actual.digest === expected.digest) return;
  const [missing, extra] = [without(expected.lines, actual.lines), without(actual.lines, expected.lines)];
  throw new Error(
    [
      `${actual.count} rows, expected ${expected.count}; ${missing.length} are missing, ${extra.length} are too many`,
      ...missing.slice(0, 3).map((line) => `missing  ${line.slice(0, 500)}`),
      ...extra.slice(0, 3).map((line) => `too many ${line.slice(0, 500)}`),
    ].join("\n"),
  );
}

export function sameTypes(actual: Readonly<Record<string, string>>, expected: Readonly<Record<string, string>>): void {
  const text = (types: Readonly<Record<string, string>>): string =>
    Object.entries(types)
      .map(([column, type]) => `${column} ${type}`)
      .join(", ");
  if (text(actual) !== text(expected)) throw new Error(`Columns: ${text(actual)}\nexpected: ${text(expected)}`);
}

/** What is in `lines` more often than in `others`. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function indented(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/^/gm, "  ");
}

function seconds(from: number): string {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}
