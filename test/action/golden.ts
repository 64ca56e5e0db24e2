// What a job wrote, with what differs from run to run taken out: ports, commits, ids of runs and of steps, folders.
import { expect } from "vitest";
import type { Lake } from "./support.ts";

export function settled(text: string, lake: Lake): string {
  const { github, warehouse } = lake;
  return (
    text
      .replaceAll(github.state.serverUrl, "https://github.example")
      .replaceAll(warehouse, "/warehouse")
      .replace(/\b[0-9a-f]{40}\b/g, "COMMIT")
      .replace(/\b90\d{5}\b/g, "RUN")
      // Of a table that is there they hold its uuid.
      .replace(/"fingerprint":"[0-9a-f]{64}"/g, '"fingerprint":"FINGERPRINT"')
      .replace(/"([a-z])[\w-]{43}"/g, '"$1STEP"')
      .replace(/(head=|at `|plan of `|commit `)[0-9a-f]{7}\b/g, "$1COMMIT7")
      .replace(/(Plan `|plan `|step `|fp=)[0-9a-f]{8}\b/g, "$1IDENT8")
      .replace(/^([-+~!>^].*?)\s+[0-9a-f]{8}$/gm, "$1  IDENT8")
  );
}

/** Held against the file in golden/: `vitest -u` writes it, a person reads it. */
export async function expectGolden(text: string, lake: Lake, name: string): Promise<void> {
  await expect(settled(text, lake)).toMatchFileSnapshot(`golden/${name}`);
}
