// Runs short commands by a small process that is started once for each worker: a worker is as large as all that its tests
// have loaded, and for it to make a process takes many times longer than most commands run. The answer is waited for, as
// with execFileSync. Knows nothing of Git.
import { type ChildProcess, execFileSync, spawn, type spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallRun {
  /** All that the command sees. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: Buffer;
}

interface Host {
  readonly process: ChildProcess;
  readonly asked: number;
  readonly answered: number;
}

/** One for all files of a worker, which share their modules. */
let started: Host | undefined;

/** What the command put out; throws where it fails, with what it said. */
export function runSmall(command: string, words: readonly string[], { env, input }: SmallRun): Buffer {
  const host = (started ??= startHost());
  const asked = Buffer.from(JSON.stringify({ command, words, env, input: input?.toString("base64") ?? "" }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(asked.length);
  writeWhole(host.asked, Buffer.concat([size, asked]));
  const answer = readWhole(host.answered, readWhole(host.answered, 4).readUInt32LE());
  const status = answer.readInt32LE();
  if (status === 0) return answer.subarray(4);
  throw new Error(`${command} ${words.join(" ")} ended with ${status}: ${answer.toString("utf8", 4)}`);
}

function startHost(): Host {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-small-process-"));
  const [asked, answered] = [join(folder, "asked"), join(folder, "answered")];
  execFileSync("mkfifo", [asked, answered]);
  const parts = `require("node:child_process"), require("node:fs"), ${JSON.stringify(asked)}, ${JSON.stringify(answered)}`;
  const process_ = spawn(process.execPath, ["-e", `(${serve.toString()})(${parts})`], {
    cwd: tmpdir(),
    env: {},
    stdio: ["ignore", "ignore", "inherit"],
  });
  process_.unref();
  // Each is opened once the other end is, and the names are of no more use.
  const host = { process: process_, asked: openSync(asked, "w"), answered: openSync(answered, "r") };
  rmSync(folder, { recursive: true });
  return host;
}

/** The whole program of the small process: it holds nothing from outside of itself. It ends with who started it. */
function serve(
  processes: { readonly spawnSync: typeof spawnSync },
  files: { readonly openSync: typeof openSync; readonly readSync: typeof readSync; readonly writeSync: typeof writeSync },
  askedPath: string,
  answeredPath: string,
): void {
  const asked = files.openSync(askedPath, "r");
  const answered = files.openSync(answeredPath, "w");
  for (;;) {
    let wanted = 4;
    let parts: Buffer[] = [];
    for (let isHead = true; isHead || wanted > 0; ) {
      const part = Buffer.alloc(wanted);
      const got = files.readSync(asked, part);
      if (got === 0) return;
      parts.push(part.subarray(0, got));
      wanted -= got;
      if (isHead && wanted === 0) {
        wanted = Buffer.concat(parts).readUInt32LE();
        parts = [];
        isHead = false;
      }
    }
    const { command, words, env, input } = JSON.parse(Buffer.concat(parts).toString()) as {
      command: string;
      words: string[];
      env: Record<string, string>;
      input: string;
    };
    const run = processes.spawnSync(command, words, { env, input: Buffer.from(input, "base64"), maxBuffer: 64 * 1024 * 1024 });
    const said = run.status === 0 ? run.stdout : Buffer.from(run.error === undefined ? String(run.stderr) : run.error.message);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(said.length + 4);
    head.writeInt32LE(run.status ?? -1, 4);
    const answer = Buffer.concat([head, said]);
    for (let at = 0; at < answer.length; ) at += files.writeSync(answered, answer, at);
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function readWhole(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const got = readSync(file, bytes, at, length - at, null);
    if (got === 0) throw new Error("The small process has ended");
    at += got;
  }
  return bytes;
}
