// A process that has the built program loaded and runs it again and again, each time from its first line with the folder,
// the variables, the words and the streams of that run: what a new process would answer, without its start. What would end
// with the process (connections, handlers) ends with the run. One run at a time.
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { ProgramRun, ProgramWords } from "./program-run.ts";

const HANDLED = ["uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM"] as const;

const sockets = new Set<Socket>();
subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});

let runs = 0;

async function run({ program, folder, variables, words }: ProgramWords): Promise<ProgramRun> {
  const said: { readonly stream: "stdout" | "stderr"; readonly text: string }[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    const value = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        said.push({ stream, text: chunk.toString() });
        done();
      },
    });
    Object.defineProperty(process, stream, { value, configurable: true });
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
  process.chdir(folder);
  process.argv = [process.execPath, program, ...words];
  const ended = new Promise<number>((settle) => {
    process.exit = ((code?: number) => {
      settle(code ?? 0);
    }) as typeof process.exit;
  });
  for (const name of HANDLED) process.removeAllListeners(name);
  const started = import(`${pathToFileURL(program).href}?${++runs}`).then(async () => await ended);
  const exit = await Promise.race([ended, started]);
  for (const name of HANDLED) process.removeAllListeners(name);
  // What fails now would have had no process to fail in.
  process.on("uncaughtException", () => undefined);
  for (const socket of sockets) socket.destroy();
  await new Promise(setImmediate);
  process.chdir(tmpdir());
  return { exit, said };
}

let last: Promise<unknown> = Promise.resolve();

process.on("message", ({ id, asked }: { readonly id: number; readonly asked: ProgramWords }) => {
  last = last.then(async () => {
    try {
      process.send?.({ id, ran: await run(asked) });
    } catch (error) {
      process.send?.({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
});

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
