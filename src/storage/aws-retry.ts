// Tries a call of AWS again while the answer says that this may help, with growing random pauses. The SDK's own
// retries are off, so nothing is ever sent twice unseen. Knows no service: who calls says what an error means.
import { setTimeout as sleep } from "node:timers/promises";

/** What the world gives to a retry; tests hand in their own. */
export interface RetryPorts {
  readonly wait: (milliseconds: number) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export const REAL_RETRY_PORTS: RetryPorts = {
  wait: (milliseconds) => sleep(milliseconds),
  random: Math.random,
};

export interface RetryAdvice {
  /** The service asks for less: pauses are longer. */
  readonly isThrottled: boolean;
  /** The service's own word on when to come back. */
  readonly afterMs: number | null;
}

/** All pauses together are some seconds, when throttled up to half a minute. */
export const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 100;
const FIRST_THROTTLED_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

/**
 * `advise` says null where trying again cannot help: then, and after the last attempt, the error is thrown on. A call
 * that goes on where it broke off gets all its attempts anew whenever its `progress` has changed.
 */
export async function withRetries<T>(
  ports: RetryPorts,
  advise: (error: unknown) => RetryAdvice | null,
  call: () => Promise<T>,
  progress: () => number = () => 0,
): Promise<T> {
  let reached = progress();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (progress() !== reached) attempt = 1;
      reached = progress();
      const advice = attempt < ATTEMPTS ? advise(error) : null;
      if (advice === null) throw error;
      await ports.wait(pauseMs(attempt, advice, ports.random()));
    }
  }
}

/** After the given failed attempt, counted from 1. */
export function pauseMs(attempt: number, advice: RetryAdvice, random: number): number {
  const first = advice.isThrottled ? FIRST_THROTTLED_PAUSE_MS : FIRST_PAUSE_MS;
  const most = Math.min(LONGEST_PAUSE_MS, first * 2 ** (attempt - 1));
  // Random over the whole width, so that many callers who were turned away together do not come back together.
  return Math.max(Math.min(advice.afterMs ?? 0, LONGEST_PAUSE_MS), Math.ceil(random * most));
}
