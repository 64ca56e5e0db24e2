// The ways in which one call of an apply is broken, over several fake services at once: calls are numbered over all of
// them, and each service answers an error in its own words. Knows no catalog.
import type { CallName, FaultAnswer, HttpFake } from "../fakes/http-fake.ts";
import { s3Error } from "../fakes/s3.ts";

/** After which an answer is taken for lost. */
export const PATIENCE_MS = 400;

export interface BreakableService {
  readonly fake: Pick<HttpFake, "fault">;
  readonly errors: ServiceErrors;
}

/** What a service says to a call that it does not do, or whose answer it has lost. */
export interface ServiceErrors {
  readonly throttled: FaultAnswer;
  readonly failed: FaultAnswer;
  readonly denied: FaultAnswer;
}

export const S3_ERRORS: ServiceErrors = {
  throttled: s3Error(503, "SlowDown", { message: "Please reduce your request rate." }),
  failed: s3Error(500, "InternalError", { message: "We encountered an internal error. Please try again." }),
  denied: s3Error(403, "AccessDenied", { message: "Access Denied" }),
};

/** What a broken call gets, and whether it had done its work. */
export interface Break {
  readonly how: keyof ServiceErrors | "drop" | "hang";
  readonly effect: "before" | "after";
  /** All later calls are broken too. */
  readonly forGood: boolean;
}

export const BREAKS: Readonly<Record<string, Break>> = {
  throttled: { how: "throttled", effect: "before", forGood: false },
  "failed, before its effect": { how: "failed", effect: "before", forGood: false },
  "failed, after its effect": { how: "failed", effect: "after", forGood: false },
  "dropped, before its effect": { how: "drop", effect: "before", forGood: false },
  "dropped, after its effect": { how: "drop", effect: "after", forGood: false },
  denied: { how: "denied", effect: "before", forGood: false },
  "the last, before its effect": { how: "drop", effect: "before", forGood: true },
  "the last, after its effect": { how: "drop", effect: "after", forGood: true },
  "silent, before its effect": { how: "hang", effect: "before", forGood: false },
  "silent, after its effect": { how: "hang", effect: "after", forGood: false },
};

/** Breaks the call of this number from now on, counted from 1; the answer heals. */
export function breakCall(services: readonly BreakableService[], number: number, { how, effect, forGood }: Break): () => void {
  let seen = 0;
  const on = (): boolean => {
    seen++;
    return forGood ? seen >= number : seen === number;
  };
  const times = Number.MAX_SAFE_INTEGER;
  const heal = services.map(({ fake, errors }) =>
    fake.fault({ on, answer: how === "drop" || how === "hang" ? how : errors[how], effect, times }),
  );
  return () => {
    for (const one of heal) one();
  };
}

/** Notes the calls from now on; the answer ends it and gives their operations in order. */
export function recordCalls(services: readonly BreakableService[]): () => readonly string[] {
  const operations: string[] = [];
  const on = ({ operation }: CallName): boolean => {
    operations.push(operation);
    return false;
  };
  const end = services.map(({ fake }) => fake.fault({ on, answer: "drop" }));
  return () => {
    for (const one of end) one();
    return operations;
  };
}
