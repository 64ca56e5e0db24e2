// The one way to the job's log: whatever is written, the runner reads no command in it, and every character is seen.
import { expect, it } from "vitest";
import { createLog } from "../../src/action/log.ts";
import { HOSTILE_TEXTS } from "../hostile/text.ts";
import { unseenIn } from "./harmless.ts";
import { runnerCommands } from "./support.ts";

const TEXTS = [...HOSTILE_TEXTS, "::stop-commands::x", "\t ::set-env name=PATH::/evil", "a\r::debug::x", "##[add-path]/evil"];

it.each(["write", "say"] as const)("what is brought to %s forms no command and hides nothing (T4, T5)", (way) => {
  let stdout = "";
  const log = createLog({ write: (text) => (stdout += text) });
  for (const text of TEXTS) {
    log[way](text);
    log[way](`drawn by us\n${text}\nand on`);
  }
  expect(runnerCommands(stdout)).toEqual([]);
  expect(unseenIn(stdout)).toEqual([]);
  expect(stdout).not.toMatch(/hunter2|AKIAIOSFODNN7EXAMPLE/);
});
