// Progress, questions and words that are nearly right.
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { nearest } from "../../src/diagnostics/near-spelling.ts";
import { createProgress, progressLine } from "../../src/cli/progress.ts";
import { createAsking } from "../../src/cli/prompt.ts";

describe("progress", () => {
  function screen(isTerminal: boolean): {
    readonly progress: ReturnType<typeof createProgress>;
    readonly text: () => string;
    tick: (ms: number) => void;
  } {
    let now = 0;
    let text = "";
    const write = (more: string): void => {
      text += more;
    };
    const tick = (ms: number): void => {
      now += ms;
    };
    return { progress: createProgress({ isTerminal, width: 80, write, now: () => now }), text: () => text, tick };
  }
  const state = (done: number) => ({ what: "Converting order_date", done, total: 312, unit: "files" });

  it("says nothing of what is quick", () => {
    const { progress, text, tick } = screen(true);
    for (let done = 0; done < 19; done += 1) {
      progress.report(state(done));
      tick(100);
    }
    progress.end();
    expect(text()).toBe("");
  });

  it("is one line that is drawn over on a terminal, and leaves nothing behind", () => {
    const { progress, text, tick } = screen(true);
    progress.report(state(0));
    tick(2_000);
    progress.report(state(156));
    progress.report(state(157));
    tick(100);
    progress.report(state(158));
    progress.end();
    const clear = "\r\u001b[2K";
    expect(text()).toBe(
      `${clear}[##########          ] 50 % Converting order_date: 156 of 312 files${clear}[##########          ] 50 % Converting order_date: 158 of 312 files${clear}`,
    );
  });

  it("is a line every few seconds in a log", () => {
    const { progress, text, tick } = screen(false);
    for (let done = 0; done <= 200; done += 1) {
      progress.report(state(done));
      tick(100);
    }
    progress.end();
    expect(text().split("\n").length - 1).toBe(4);
    expect(text().split("\n")[0]).toBe("6 % Converting order_date: 20 of 312 files");
    expect(text()).not.toContain("\r");
  });

  it("counts bytes as people do, and the time that is left", () => {
    const bytes = { what: "Copying", done: 2 * 1024 ** 3, total: 48 * 1024 ** 3, unit: "bytes" };
    expect(progressLine(bytes, 60_000, false)).toBe("4 % Copying: 2.0 GiB of 48.0 GiB, about 23 min left");
    expect(progressLine({ what: "Reading", done: 7, total: null, unit: "manifests" }, 0, true)).toBe("Reading: 7 manifests");
    expect(progressLine({ what: "x", done: 0, total: 0, unit: "files" }, 0, true)).toBe(
      "[####################] 100 % x: 0 of 0 files",
    );
  });

  it("shows no hostile name as it is", () => {
    expect(progressLine({ ...state(1), what: "a\u001b[31m\n" }, 0, false)).toContain("a\\u{001B}[31m\\n: 1 of");
  });
});

describe("a question", () => {
  async function ask(
    effect: "behaviour" | "rewrite" | "destructive",
    typed: string | null,
  ): Promise<{ readonly yes: boolean; readonly shown: string }> {
    const input = new PassThrough();
    const output = new PassThrough();
    const asking = createAsking(input, output, new AbortController().signal);
    const answer = asking.approve("prod", effect);
    if (typed === null) input.end();
    else input.write(typed);
    const yes = await answer;
    return { yes, shown: String(output.read() ?? "") };
  }

  it.each([
    ["behaviour", "y\n", true],
    ["behaviour", "YES\n", true],
    ["behaviour", "\n", false],
    ["behaviour", "prod\n", false],
    ["behaviour", "yes please\n", false],
    ["behaviour", null, false],
    ["destructive", "prod\n", true],
    ["destructive", " prod \n", true],
    ["destructive", "y\n", false],
    ["destructive", "PROD\n", false],
    ["destructive", null, false],
    ["rewrite", "prod\n", true],
    ["rewrite", "yes\n", false],
  ] as const)("about a plan of effect %s answered %j is %s", async (effect, typed, wanted) => {
    expect((await ask(effect, typed)).yes).toBe(wanted);
  });

  it("says what is at stake", async () => {
    expect((await ask("destructive", "\n")).shown).toContain(
      "This plan loses data. Type the environment's name (prod) to apply it: ",
    );
    expect((await ask("rewrite", "\n")).shown).toContain("This plan rewrites data.");
    expect((await ask("behaviour", "\n")).shown).toContain('Apply this plan to "prod"? [y/N] ');
  });

  it("ends as interrupted when the command is stopped", async () => {
    const controller = new AbortController();
    const answer = createAsking(new PassThrough(), new PassThrough(), controller.signal).confirm("Go on?");
    setImmediate(() => controller.abort());
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" });
    await expect(createAsking(new PassThrough(), new PassThrough(), controller.signal).confirm("Go on?")).rejects.toMatchObject({
      kind: "interrupted",
    });
  });
});

describe("the nearest word", () => {
  it.each([
    ["pln", "plan"],
    ["paln", "plan"],
    ["aply", "apply"],
    ["valdate", "validate"],
    ["--exlcude", "--exclude"],
    ["show", "show"],
    ["zzz", null],
    ["", null],
    ["x".repeat(5_000), null],
  ])("of %j is %j", (word, wanted) => {
    expect(nearest(word, ["plan", "apply", "validate", "show", "--exclude"])).toBe(wanted);
  });
});
