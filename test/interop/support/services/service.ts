// Servers that a suite starts: when are they ready, what if their port was taken. Bound to the loopback address, each
// stopped at the end of the suite. Knows no protocol beyond "answers HTTP".
import { setTimeout as sleep } from "node:timers/promises";
import { type Child, type ChildSpec, startGuarded, tailOf } from "../child.ts";
import { freePort } from "../ports.ts";

export interface Service {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const READY_MS = 90_000;
/** Another program may take the port between asking for it and starting. */
const TRIES = 3;

export async function startService(
  spec: (port: number) => Promise<ChildSpec>,
  healthPath: string,
): Promise<Service & { readonly child: Child }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = await startGuarded(await spec(port));
    const url = `http://127.0.0.1:${port}`;
    if (await answers(`${url}${healthPath}`, child)) return { url, port, stop: child.stop, child };
    await child.stop();
    if (attempt === TRIES) throw new Error(`Cannot start it on port ${port} (log: ${child.log})\n${tailOf(child.log, 12)}`);
  }
}

async function answers(url: string, child: Child): Promise<boolean> {
  const until = performance.now() + READY_MS;
  while (!child.hasEnded() && performance.now() < until) {
    try {
      const answer = await fetch(url);
      await answer.arrayBuffer();
      // A server that died for want of its port leaves the port's owner to answer.
      if (answer.ok && !child.hasEnded()) return true;
    } catch {
      await sleep(100);
    }
  }
  return false;
}
