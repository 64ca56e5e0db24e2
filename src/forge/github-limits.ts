// How often GitHub is asked: bursts of writes and then one a second, and patience where it asks for less, up to a
// bound. GitHub allows 80 writes that make content in a minute. Knows no call.
import type { ThrottlingOptions } from "@octokit/plugin-throttling";
import Bottleneck from "bottleneck/light.js";

/** All waiting of one forge, so that a job never hangs for the hour that a used-up limit takes. */
const MOST_WAITING_SECONDS = 150;
const MOST_TRIES = 4;
const BURST = 10;
/** For a secondary limit without a word on when to come back: GitHub's advice is a minute. */
const USUAL_WAIT_SECONDS = 60;

/** `secondMs`: how long a second of waiting takes. */
export function throttleOptions(secondMs: number): ThrottlingOptions {
  let left = MOST_WAITING_SECONDS;
  const mayWait = (seconds: number, tried: number): boolean => {
    if (seconds > left || tried >= MOST_TRIES) return false;
    left -= seconds;
    return true;
  };
  const writes = new Bottleneck.Group({
    maxConcurrent: 1,
    reservoir: BURST,
    reservoirIncreaseAmount: 1,
    reservoirIncreaseInterval: 1000,
    reservoirIncreaseMaximum: BURST,
  });
  return {
    write: writes,
    // A comment is a write, and counts as one.
    notifications: new Bottleneck.Group({ maxConcurrent: 1 }),
    fallbackSecondaryRateRetryAfter: USUAL_WAIT_SECONDS,
    retryAfterBaseValue: secondMs,
    onRateLimit: (seconds, _options, _client, tried) => mayWait(seconds, tried),
    onSecondaryRateLimit: (seconds, _options, _client, tried) => mayWait(seconds, tried),
  };
}
