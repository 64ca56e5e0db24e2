// Looks at a table again after a commit whose end was not clear, as often and as patiently as the table's
// properties say (Iceberg's `commit.status-check.*`). Knows no catalog.
import type { LiveTable } from "../iceberg/live-table.ts";

export interface StatusChecks {
  readonly tries: number;
  readonly minWaitMs: number;
  readonly maxWaitMs: number;
}

export type Look =
  | { readonly state: "found"; readonly live: LiveTable }
  | { readonly state: "absent" }
  | { readonly state: "unclear"; readonly error: unknown };

/** Iceberg's defaults: three tries after the first, waiting from one second to a minute. */
export function statusChecks(properties: Readonly<Record<string, string>>): StatusChecks {
  const number = (key: string, fallback: number): number => {
    const text = properties[`commit.status-check.${key}`];
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : fallback;
  };
  return {
    tries: 1 + number("num-retries", 3),
    minWaitMs: number("min-wait-ms", 1000),
    maxWaitMs: number("max-wait-ms", 60_000),
  };
}

/** Looks until it is `told` (found or absent) or, where a confirmed commit must show itself, until it is `found`. */
export async function lookUntil(
  goal: "told" | "found",
  find: () => Promise<LiveTable | null>,
  checks: StatusChecks,
  wait: (milliseconds: number) => Promise<void>,
): Promise<Look> {
  let look: Look = { state: "absent" };
  for (let attempt = 0; attempt < checks.tries; attempt++) {
    if (attempt > 0) await wait(Math.min(checks.maxWaitMs, checks.minWaitMs * 2 ** (attempt - 1)));
    look = await lookOnce(find);
    if (look.state === "found" || (look.state === "absent" && goal === "told")) return look;
  }
  return look;
}

export async function lookOnce(find: () => Promise<LiveTable | null>): Promise<Look> {
  try {
    const live = await find();
    return live === null ? { state: "absent" } : { state: "found", live };
  } catch (error) {
    return { state: "unclear", error };
  }
}
