// The Action: hands the real process to main and ends with its answer. The only file of the room that touches `process`.
import { randomUUID } from "node:crypto";
import { failureText } from "../cli/failure.ts";
import { logLines } from "../report/escape.ts";
import { main } from "./main.ts";

const machine = `Node ${process.version} on ${process.platform} ${process.arch}`;

function endWithBug(error: unknown): void {
  process.stdout.write(logLines(failureText(error, true, { description: machine })));
  process.exit(1);
}

process.on("uncaughtException", endWithBug);
process.on("unhandledRejection", endWithBug);

// A job that is cancelled gets SIGINT, and a little later SIGTERM: what is being written is finished.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stop.abort();
  });
}

const succeeded = await main({
  variables: process.env,
  stdout: process.stdout,
  now: Date.now,
  randomId: randomUUID,
  signal: stop.signal,
  machine,
});

// Connections that are kept open would hold the process for nothing.
process.exit(succeeded ? 0 : 1);
