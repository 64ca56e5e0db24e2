// One shared object a failure reason, so that a column full of bad values allocates nothing.
import type { Converted, FailureReason } from "./conversion.ts";

export type Failure = Extract<Converted, { readonly failure: FailureReason }>;

export const FAILURES: { readonly [Reason in FailureReason]: { readonly failure: Reason } } = {
  empty: { failure: "empty" },
  "blanks-around": { failure: "blanks-around" },
  "not-a-number": { failure: "not-a-number" },
  "not-in-format": { failure: "not-in-format" },
  "impossible-date": { failure: "impossible-date" },
  "impossible-time": { failure: "impossible-time" },
  "out-of-range": { failure: "out-of-range" },
  "too-many-digits": { failure: "too-many-digits" },
  "not-a-boolean": { failure: "not-a-boolean" },
  "no-offset": { failure: "no-offset" },
  "not-text": { failure: "not-text" },
};
