// The calls of an apply to services that are played over real HTTP, numbered over all of them, and the ways in which one of
// them breaks: each service answers an error in its own words. Knows no catalog.
import type { CallName, FaultAnswer, HttpFake } from "../../fakes/http-fake.ts";
import { s3Error } from "../../fakes/s3.ts";
import {
  type ArmedBreak,
  type BreakEvents,
  type FaultWorld,
  jumpOf,
  type Turn,
  type TurnPoint,
  UNBROKEN,
} from "./fault-world.ts";
import { builtPreload } from "./program.ts";

/** After which an answer is taken for lost. */
export const PATIENCE_MS = 1500;

export interface BreakableService {
  readonly fake: Pick<HttpFake, "fault">;
  readonly errors: ServiceErrors;
}

/** What a service says to a call that it does not do, or whose answer it has lost. */
export interface ServiceErrors {
  readonly throttled: FaultAnswer;
  readonly failed: FaultAnswer;
  readonly denied: FaultAnswer;
  /** The credentials were good once. */
  readonly expired: FaultAnswer;
}

export const S3_ERRORS: ServiceErrors = {
  throttled: s3Error(503, "SlowDown", { message: "Please reduce your request rate." }),
  failed: s3Error(500, "InternalError", { message: "We encountered an internal error. Please try again." }),
  denied: s3Error(403, "AccessDenied", { message: "Access Denied" }),
  expired: s3Error(400, "ExpiredToken", { message: "The provided token has expired." }),
};

/** What a broken call gets, whether it had done its work, and whether all later calls are broken too. */
interface Way {
  readonly gets: keyof ServiceErrors | "drop" | "hang" | "cut" | "all";
  readonly effect: "before" | "after";
  readonly forGood: boolean;
}

const DOUBTS: ReadonlySet<string> = new Set(["failed before its effect", "dropped after its effect"]);

const way = (gets: Way["gets"], effect: Way["effect"] = "before", forGood = false): Way => ({ gets, effect, forGood });

const WAYS: Readonly<Record<string, Way>> = {
  [UNBROKEN]: way("all"),
  "throttled once": way("throttled"),
  "throttled for good": way("throttled", "before", true),
  "failed before its effect": way("failed"),
  "failed after its effect": way("failed", "after"),
  "failed for good": way("failed", "before", true),
  "dropped before its effect": way("drop"),
  "dropped after its effect": way("drop", "after"),
  "the last, dropped before its effect": way("drop", "before", true),
  "the last, dropped after its effect": way("drop", "after", true),
  "silent before its effect": way("hang"),
  "silent after its effect": way("hang", "after"),
  "an answer cut off": way("cut", "after"),
  denied: way("denied"),
  "denied for good": way("denied", "before", true),
  "expired credentials, then fresh ones": way("expired"),
  "expired credentials for good": way("expired", "before", true),
};

/** What a world over such services answers of its calls. */
export function httpCalls(services: readonly BreakableService[]): Pick<FaultWorld, "ways" | "record" | "breakCall" | "turnAt"> {
  return {
    ways: Object.keys(WAYS)
      .filter((title) => title !== UNBROKEN)
      .map((title) => ({ title, fits: () => true, isDoubt: DOUBTS.has(title) })),
    record: () => recordCalls(services),
    breakCall: (number, title, events) => {
      const one = WAYS[title];
      if (one === undefined) throw new Error(`No way in which a call breaks: ${title}`);
      return breakCall(services, number, one, events);
    },
    turnAt: async (number, turn) => await turnAt(services, number, turn),
  };
}

function breakCall(
  services: readonly BreakableService[],
  number: number,
  { gets, effect, forGood }: Way,
  events: BreakEvents,
): ArmedBreak {
  let seen = 0;
  const times = Number.MAX_SAFE_INTEGER;
  const on = (): boolean => {
    seen += 1;
    if (seen === number) events.onBreak?.();
    if (seen === number + 1) events.onNext?.();
    return seen === number;
  };
  const heal = services.flatMap(({ fake, errors }) => {
    const answer = answerOf(gets, errors);
    const first = fake.fault({ on, answer, effect, times });
    // What comes after the first has no effect any more.
    return forGood ? [first, fake.fault({ on: () => seen > number, answer, times })] : [first];
  });
  return {
    hasBroken: () => seen >= number,
    isPassing: !forGood,
    heal: () => {
      for (const one of heal) one();
    },
  };
}

function answerOf(gets: Way["gets"], errors: ServiceErrors): FaultAnswer {
  if (gets === "all") return { delayMs: 0 };
  return gets === "drop" || gets === "hang" || gets === "cut" ? gets : errors[gets];
}

function recordCalls(services: readonly BreakableService[]): () => readonly string[] {
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

/** The process gets its signal at the call. One that is killed gets no answer to it, nor to a later call. */
async function turnAt(services: readonly BreakableService[], number: number, turn: Turn): Promise<TurnPoint> {
  const operations: string[] = [];
  const jumpMs = jumpOf(turn);
  let send: ((signal: NodeJS.Signals) => void) | null = null;
  const on = ({ operation }: CallName): boolean => {
    operations.push(operation);
    if (number === 0 || operations.length !== number) return false;
    send?.(jumpMs === 0 ? "SIGKILL" : "SIGUSR2");
    return true;
  };
  const times = Number.MAX_SAFE_INTEGER;
  // Time for the signal to arrive.
  const first = jumpMs === 0 ? "drop" : { delayMs: 50 };
  const effect = turn === "killed after" ? "after" : "before";
  const isLater = (): boolean => number > 0 && jumpMs === 0 && operations.length > number;
  const end = services.flatMap(({ fake }) => [
    fake.fault({ on, answer: first, effect, times }),
    fake.fault({ on: isLater, answer: "drop", times }),
  ]);
  return {
    nodeOptions: jumpMs === 0 ? [] : ["--import", await builtPreload()],
    variables: jumpMs === 0 ? {} : { FAULT_JUMP_MS: String(jumpMs) },
    onStart: (start) => {
      send = start;
    },
    end: () => {
      for (const one of end) one();
      return operations;
    },
  };
}
