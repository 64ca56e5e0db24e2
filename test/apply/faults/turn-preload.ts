// Runs before the built program in a process of its own, and lets the world turn on it at one of its calls to the file
// system: the process is killed, before the call's effect or after it, or its clock jumps. Where the calls are counted
// outside, SIGUSR2 is the sign for the jump. Told by FAULT_*; knows no program.
import { openSync, writeSync } from "node:fs";
import { watchFileCalls } from "./file-calls.ts";

const number = Number(process.env["FAULT_AT"] ?? "0");
const effect = process.env["FAULT_EFFECT"];
const jumpMs = Number(process.env["FAULT_JUMP_MS"] ?? "0");
const log = process.env["FAULT_LOG"] === undefined ? null : openSync(process.env["FAULT_LOG"], "a");

const RealDate = Date;
let offsetMs = 0;
if (jumpMs !== 0) {
  const nowMs = (): number => RealDate.now() + offsetMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [nowMs()] : given, self) as object,
    get: (target, member, self) => (member === "now" ? nowMs : (Reflect.get(target, member, self) as unknown)),
  });
  process.on("SIGUSR2", jump);
}

function jump(): void {
  offsetMs = jumpMs;
}

let seen = 0;
const below = process.env["FAULT_BELOW"];
if (below !== undefined)
  watchFileCalls(below, async ({ operation, run }) => {
    seen += 1;
    const isOwn = seen === number;
    if (log !== null) writeSync(log, `${operation}\n`);
    if (isOwn && effect === "before") process.kill(process.pid, "SIGKILL");
    if (isOwn && effect === "jump") jump();
    try {
      return await run();
    } finally {
      if (isOwn && effect === "after") process.kill(process.pid, "SIGKILL");
    }
  });
