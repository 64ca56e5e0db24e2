// The ways in which a call to the file system breaks: errors of the system, before the call's effect and after it, a disk
// that is full, handles that have run out, and reads and writes that do less than they are asked. Knows no tables.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileCall, type FileHook, systemError, watchFileCalls } from "./file-calls.ts";
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

interface FileWay {
  /** Null: no error comes, and the call does half of what it is asked. */
  readonly code: string | null;
  readonly effect: "before" | "after" | "half";
  readonly forGood: boolean;
  /** Other calls pass. */
  readonly fits: (operation: string) => boolean;
}

const any = (): boolean => true;
/** What takes room on the disk. */
const writes = (operation: string): boolean => ["create", "mkdir", "link", "rename", "write", "sync"].includes(operation);
/** What needs a handle that the process does not have yet. */
const opens = (operation: string): boolean => ["open", "create", "readdir"].includes(operation);
const halves = (operation: string): boolean => operation === "read" || operation === "write";

const DOUBTS: ReadonlySet<string> = new Set(["EIO before its effect", "EIO after its effect"]);

const WAYS: Readonly<Record<string, FileWay>> = {
  [UNBROKEN]: { code: null, effect: "before", forGood: false, fits: any },
  "EIO before its effect": { code: "EIO", effect: "before", forGood: false, fits: any },
  "EIO after its effect": { code: "EIO", effect: "after", forGood: false, fits: any },
  "EIO for good": { code: "EIO", effect: "before", forGood: true, fits: any },
  "the last, EIO after its effect": { code: "EIO", effect: "after", forGood: true, fits: any },
  "disk full once": { code: "ENOSPC", effect: "before", forGood: false, fits: writes },
  "disk full for good": { code: "ENOSPC", effect: "before", forGood: true, fits: writes },
  "half written, then the disk is full": { code: "ENOSPC", effect: "half", forGood: true, fits: writes },
  "too many open files once": { code: "EMFILE", effect: "before", forGood: false, fits: opens },
  "too many open files for good": { code: "EMFILE", effect: "before", forGood: true, fits: opens },
  "denied once": { code: "EACCES", effect: "before", forGood: false, fits: any },
  "denied for good": { code: "EACCES", effect: "before", forGood: true, fits: any },
  "read-only from now on": { code: "EROFS", effect: "before", forGood: true, fits: writes },
  "half read or written": { code: null, effect: "half", forGood: false, fits: halves },
};

/** What a world on a folder of this machine answers of its calls. */
export function fileCalls(folder: string): Pick<FaultWorld, "ways" | "record" | "breakCall" | "turnAt"> {
  return {
    ways: Object.entries(WAYS)
      .filter(([title]) => title !== UNBROKEN)
      .map(([title, { fits }]) => ({ title, fits, isDoubt: DOUBTS.has(title) })),
    record: () => recordCalls(folder),
    breakCall: (number, title, events) => {
      const one = WAYS[title];
      if (one === undefined) throw new Error(`No way in which a call breaks: ${title}`);
      return breakCall(folder, number, one, events);
    },
    turnAt: async (number, turn) => await turnAt(folder, number, turn),
  };
}

function breakCall(folder: string, number: number, { code, effect, forGood, fits }: FileWay, events: BreakEvents): ArmedBreak {
  let seen = 0;
  let hasBroken = false;
  const hook: FileHook = async (call) => {
    seen += 1;
    const own = seen;
    if (own === number) events.onBreak?.();
    if (own === number + 1) events.onNext?.();
    const isBroken = (own === number || (forGood && own > number)) && fits(call.operation);
    hasBroken ||= isBroken;
    // A handle is given back in any case, as the system does.
    if (!isBroken || call.operation === "close") {
      const done = await call.run();
      if (isBroken && code !== null) throw systemError(code, call);
      return done;
    }
    if (own === number && effect === "half" && call.half !== null) return await call.half();
    if (own === number && effect === "after") await settled(call);
    if (code === null) return await call.run();
    throw systemError(code, call);
  };
  const heal = watchFileCalls(folder, hook);
  return { hasBroken: () => hasBroken, isPassing: !forGood, heal };
}

/** With what it gave back given up, and its handle closed. */
async function settled(call: FileCall): Promise<void> {
  const done = await call.run();
  if (call.operation === "open" || call.operation === "create") await (done as { close: () => Promise<void> }).close();
}

function recordCalls(folder: string): () => readonly string[] {
  const operations: string[] = [];
  const end = watchFileCalls(folder, async ({ operation, run }) => {
    operations.push(operation);
    return await run();
  });
  return () => {
    end();
    return operations;
  };
}

async function turnAt(folder: string, number: number, turn: Turn): Promise<TurnPoint> {
  const notes = mkdtempSync(join(tmpdir(), "floeplan-calls-"));
  const log = join(notes, "calls");
  const effect = turn === "killed before" ? "before" : turn === "killed after" ? "after" : "jump";
  return {
    nodeOptions: ["--import", await builtPreload()],
    variables: {
      FAULT_AT: String(number),
      FAULT_EFFECT: effect,
      FAULT_JUMP_MS: String(jumpOf(turn)),
      FAULT_BELOW: folder,
      FAULT_LOG: log,
    },
    onStart: () => undefined,
    end: () => {
      const operations = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      rmSync(notes, { recursive: true, force: true });
      return operations;
    },
  };
}
