// The shell around a command: streams, formats, files, exit codes, interrupts, bugs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CommandContext } from "../../src/commands/ports.ts";
import {
  EXIT_OF_TOOL_ERROR,
  exitOfDiagnostics,
  exitOfPlan,
  type CommandResult,
  type ExitName,
} from "../../src/commands/result.ts";
import { ToolError, type ToolErrorKind } from "../../src/diagnostics/tool-error.ts";
import { terminalFacts } from "../../src/cli/terminal.ts";
import { EXIT_CODES } from "../../src/cli/exit-code.ts";
import { planReport } from "../../src/report/plan-report.ts";
import { text } from "../../src/report/text.ts";
import * as plans from "../report/plans.ts";
import { OK, runShell, testShell, type Run } from "./shell.ts";

const report = planReport(plans.samplePlan, {
  asked: { environmentNamed: true, selectors: [], excluded: [], changedSince: null },
  sources: plans.sources,
  verbose: false,
});
const PLAN: CommandResult = { exit: "ok", output: { kind: "report", report }, diagnostics: [] };
const answer =
  (result: CommandResult): Run =>
  () =>
    Promise.resolve(result);

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "floeplan-cli-"));
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

describe("the result", () => {
  it("goes to standard output, in the chosen format", async () => {
    const terminal = await runShell(testShell(["look"]), answer(PLAN));
    expect(terminal.stdout).toContain("Plan c40e7718.\nNext: floeplan apply -e prod --approve c40e7718\n");
    expect(terminal.stderr).toBe("");
    const json = await runShell(testShell(["look", "--format", "json"]), answer(PLAN));
    expect(JSON.parse(json.stdout)).toMatchObject({ floeplan: 1, environment: "prod" });
    const markdown = await runShell(testShell(["look", "--format", "markdown"]), answer(PLAN));
    expect(markdown.stdout).toContain("> [!CAUTION]");
  });

  it("goes to files too, by their ending, from the directory of -C", async () => {
    const root = folder();
    const shell = testShell(["look", "-C", root, "--out", "plan.json", "--out", "plan.MD"], { directory: "/nowhere" });
    const { code, stdout } = await runShell(shell, answer(PLAN));
    expect(code).toBe(0);
    expect(stdout).toContain("Plan c40e7718.");
    expect(JSON.parse(readFileSync(join(root, "plan.json"), "utf8"))).toMatchObject({
      fingerprint: plans.samplePlan.fingerprint,
    });
    expect(readFileSync(join(root, "plan.MD"), "utf8")).toContain("### ⛔ Iceberg plan for `prod`");
  });

  it("says what is wrong with a file that cannot be written", async () => {
    const { code, stderr } = await runShell(testShell(["look", "--out", "/nowhere/at/all/plan.json"]), answer(PLAN));
    expect(code).toBe(1);
    expect(stderr).toContain('error: Cannot write "/nowhere/at/all/plan.json"\n  Why: There is no folder "/nowhere/at/all"');
  });

  it("is the findings where there is nothing else, and their JSON", async () => {
    const result: CommandResult = { exit: "bad-table-file", output: null, diagnostics: [plans.narrowed], sources: plans.sources };
    const { code, stdout, stderr } = await runShell(testShell(["look"]), answer(result));
    expect([code, stderr]).toEqual([65, ""]);
    expect(stdout).toContain("18 |   - { name: quantity, type: int }");
    const json = await runShell(testShell(["look", "--format", "json"]), answer(result));
    expect(JSON.parse(json.stdout)).toMatchObject({ floeplan: 1, diagnostics: [{ code: "plan-file-invalid" }] });
  });

  it("keeps findings beside a report on standard error", async () => {
    const { stdout, stderr } = await runShell(
      testShell(["look", "--format", "json"]),
      answer({ ...PLAN, diagnostics: [plans.narrowed] }),
    );
    expect(JSON.parse(stdout)).toMatchObject({ floeplan: 1 });
    expect(stderr).toContain('error: Cannot change "quantity" from long to int');
  });

  it("as text is left alone in a pipe and made harmless on a screen", async () => {
    const sql: CommandResult = { exit: "ok", output: { kind: "text", text: "SELECT '\u001b[31m';\n" }, diagnostics: [] };
    expect((await runShell(testShell(["look"]), answer(sql))).stdout).toBe("SELECT '\u001b[31m';\n");
    expect((await runShell(testShell(["look"], { isTerminal: true }), answer(sql))).stdout).toBe("SELECT '\\u{001B}[31m';\n");
  });

  it("has no secrets in any format, nor have notes and failures", async () => {
    const secret = "AKIAIOSFODNN7EXAMPLE";
    const leaky = { ...report, summary: text`key ${secret}`, json: { key: secret, "s3.secret-access-key": "x" } };
    const run: Run = (context) => {
      context.note(`note ${secret}`);
      context.say(`say ${secret}`);
      return Promise.resolve({ ...PLAN, output: { kind: "report", report: leaky } });
    };
    for (const format of ["terminal", "markdown", "json"]) {
      const { stdout, stderr } = await runShell(testShell(["look", "--format", format]), run);
      expect(stdout).toContain("AKIA****");
      expect(stdout + stderr).not.toContain(secret);
    }
    const sql: CommandResult = { exit: "ok", output: { kind: "text", text: `-- ${secret}\n` }, diagnostics: [] };
    expect((await runShell(testShell(["look"]), answer(sql))).stdout).toBe("-- AKIA****\n");
    const failed = await runShell(testShell(["look", "-v"]), () =>
      Promise.reject(new ToolError("auth", `no ${secret}`, { cause: new Error(secret) })),
    );
    expect(failed.stderr).toContain("AKIA****");
    expect(failed.stderr).not.toContain(secret);
  });

  it("is not needed by a reader that has gone", async () => {
    const shell = testShell(["look"]);
    shell.stdout.failure = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    let finished = false;
    const { code, stderr } = await runShell(shell, async (context) => {
      context.say("first");
      await new Promise((resolve) => setImmediate(resolve));
      finished = true;
      return { ...PLAN, exit: "changes" };
    });
    expect([code, stderr, finished]).toEqual([2, "", true]);
  });

  it("fails where the disk is full", async () => {
    const shell = testShell(["look"]);
    shell.stdout.failure = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
    const { code, stderr } = await runShell(shell, answer(PLAN));
    expect(code).toBe(1);
    expect(stderr).toContain("Cannot write the result to standard output");
  });
});

describe("notes and reports on the way", () => {
  const talk: Run = async (context) => {
    context.note("reading 3 tables");
    context.say("hello");
    await context.show(report);
    return OK;
  };

  it("keep a result for machines clean", async () => {
    const { stdout, stderr } = await runShell(testShell(["look", "--format", "json"]), talk);
    expect(JSON.parse(stdout)).toEqual({ floeplan: 1, diagnostics: [] });
    for (const part of ["reading 3 tables\n", "hello\n", "Plan c40e7718."]) expect(stderr).toContain(part);
  });

  it("are in the result where a person reads it, without notes when quiet", async () => {
    const { stdout, stderr } = await runShell(testShell(["look", "-q"], { isTerminal: true }), talk);
    expect(stdout).toContain("hello\n");
    expect(stdout).toContain("Plan ");
    expect(stderr).toBe("");
  });
});

describe("what a command is given", () => {
  async function contextOf(
    argv: readonly string[],
    isTerminal: boolean,
    variables: Record<string, string> = {},
  ): Promise<CommandContext> {
    let seen: CommandContext | undefined;
    await runShell(testShell(argv, { isTerminal, variables }), (context) => {
      seen = context;
      return Promise.resolve(OK);
    });
    if (seen === undefined) throw new Error("the command did not run");
    return seen;
  }

  it("is the terminal as it is", async () => {
    expect((await contextOf(["look"], false)).terminal).toEqual({ isTerminal: false, colour: false, width: 120 });
    expect((await contextOf(["look"], true)).terminal).toEqual({ isTerminal: true, colour: true, width: 100 });
    expect((await contextOf(["look"], true, { NO_COLOR: "1" })).terminal.colour).toBe(false);
    expect((await contextOf(["look"], true, { TERM: "dumb" })).terminal.colour).toBe(false);
    expect((await contextOf(["look"], false, { FORCE_COLOR: "1", COLUMNS: "90" })).terminal).toMatchObject({
      colour: true,
      width: 90,
    });
    expect((await contextOf(["look", "--color", "never"], true, { FORCE_COLOR: "1" })).terminal.colour).toBe(false);
    expect((await contextOf(["look", "--color=always"], false, { NO_COLOR: "1" })).terminal.colour).toBe(true);
  });

  it("is a usual width on a terminal that does not know its own", () => {
    expect(terminalFacts({ isTTY: true, columns: 0 }, {}, "auto").width).toBe(80);
    expect(terminalFacts({ isTTY: true, columns: 9 }, {}, "auto").width).toBe(20);
    expect(terminalFacts({ isTTY: true, columns: 400 }, {}, "auto").width).toBe(160);
  });

  it("has nobody to ask off a terminal", async () => {
    expect((await contextOf(["look"], false)).asking).toBeNull();
    expect((await contextOf(["look"], true)).asking).not.toBeNull();
  });

  it("starts relative paths where -C says", async () => {
    const root = folder();
    mkdirSync(join(root, "dir"));
    expect((await contextOf(["look", "-C", `${root}/sub/../dir`], false)).directory).toBe(join(root, "dir"));
  });

  it("is nothing where -C names no folder", async () => {
    const { code, stderr } = await runShell(testShell(["look", "-C", "nowhere"]), answer(PLAN));
    expect([code, stderr]).toEqual([64, 'error: Cannot start in "nowhere"\n  Why: There is no such folder\n']);
  });
});

const KINDS: Readonly<Record<ToolErrorKind, number>> = {
  usage: 64,
  config: 78,
  auth: 77,
  "not-found": 1,
  conflict: 75,
  throttled: 75,
  unavailable: 75,
  unsupported: 1,
  corrupt: 1,
  "storage-full": 1,
  refused: 1,
  interrupted: 130,
  internal: 1,
};

/** The numbers of the contract. */
const NUMBERS: Readonly<Record<ExitName, number>> = {
  ok: 0,
  failed: 1,
  changes: 2,
  refused: 3,
  "partly-applied": 4,
  usage: 64,
  "bad-table-file": 65,
  "try-again": 75,
  "no-permission": 77,
  "bad-config": 78,
  interrupted: 130,
};

describe("exit codes", () => {
  it("are the contract's numbers", () => {
    expect(Object.fromEntries(Object.entries(EXIT_CODES).map(([name, { code }]) => [name, code]))).toEqual(NUMBERS);
  });

  it.each(Object.entries(NUMBERS))("of an answer %s is %i", async (exit, code) => {
    expect((await runShell(testShell(["look"]), answer({ ...PLAN, exit: exit as ExitName }))).code).toBe(code);
  });

  it.each(Object.entries(KINDS))("of a thrown %s is %i", async (kind, code) => {
    const error = new ToolError(kind as ToolErrorKind, "Cannot do it");
    expect((await runShell(testShell(["look"]), () => Promise.reject(error))).code).toBe(code);
    expect(NUMBERS[EXIT_OF_TOOL_ERROR[kind as ToolErrorKind]]).toBe(code);
  });

  it("follow the findings: project file before table files, warnings are fine", () => {
    const inConfig = { ...plans.narrowed, place: plans.at("floeplan.yaml", 1) };
    const warning = { ...plans.narrowed, severity: "warning" as const };
    expect(exitOfDiagnostics([], "floeplan.yaml")).toBe("ok");
    expect(exitOfDiagnostics([warning], "floeplan.yaml")).toBe("ok");
    expect(exitOfDiagnostics([warning, plans.narrowed], "floeplan.yaml")).toBe("bad-table-file");
    expect(exitOfDiagnostics([plans.narrowed, inConfig], "floeplan.yaml")).toBe("bad-config");
    expect(exitOfDiagnostics([plans.droppedSilently], null)).toBe("bad-table-file");
  });

  it("follow the plan: changes and drift only when asked, blocked always", () => {
    const states = ["in-step", "drift", "changes", "blocked"] as const;
    expect(states.map((state) => exitOfPlan(state, false))).toEqual(["ok", "ok", "ok", "refused"]);
    expect(states.map((state) => exitOfPlan(state, true))).toEqual(["ok", "changes", "changes", "refused"]);
  });
});

describe("a failure", () => {
  it("is told with why, mend and context, without a stack", async () => {
    const error = new ToolError("conflict", 'Cannot commit "sales.orders": another writer changed its schema', {
      why: "Schema id 9 became 10",
      mend: "Plan again",
      context: { snapshot: 9_007_199_254_740_993n },
      cause: new Error("HTTP 409"),
    });
    const { stderr } = await runShell(testShell(["look"]), () => Promise.reject(error));
    expect(stderr).toBe(
      [
        'error: Cannot commit "sales.orders": another writer changed its schema',
        "  Why: Schema id 9 became 10",
        "  Mend: Plan again",
        "  snapshot: 9007199254740993",
        "  The same command may succeed later.",
        "",
      ].join("\n"),
    );
    expect((await runShell(testShell(["look", "-v"]), () => Promise.reject(error))).stderr).toContain("  Cause: HTTP 409");
  });

  it.each([
    ["an exception", new TypeError("x is not a function")],
    ["a broken invariant", new ToolError("internal", "x is not a function", { context: { table: "a.b" } })],
  ])("that is a bug is reported as one, with version and stack: %s", async (_name, error) => {
    const { code, stderr } = await runShell(testShell(["look"]), () => Promise.reject(error));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^This is a bug in floeplan \d+\.\d+\.\d+: .*x is not a function\n/);
    expect(stderr).toContain("  at ");
    expect(stderr).toMatch(/floeplan \d+\.\d+\.\d+, Node v0 on test\nPlease report it/);
  });

  it("of any thrown value is told", async () => {
    // oxlint-disable-next-line prefer-promise-reject-errors
    const { code, stderr } = await runShell(testShell(["look"]), () => Promise.reject("boom\u001b[31m"));
    expect(code).toBe(1);
    expect(stderr).toContain("boom\\u{001B}[31m");
  });
});

describe("an interrupt", () => {
  it("ends a reading command at once", async () => {
    const shell = testShell(["look"]);
    const { code, stderr } = await runShell(shell, () => {
      setImmediate(shell.interrupt);
      return new Promise(() => undefined);
    });
    expect([code, stderr]).toEqual([130, "error: Interrupted\n"]);
  });

  it("lets a writing command finish what must be whole, and says that the journal is kept", async () => {
    const shell = testShell(["take", "a"]);
    const { code, stderr } = await runShell(shell, async (context) => {
      shell.interrupt();
      expect(context.signal.aborted).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
      throw new ToolError("interrupted", "Stopped after 3 of 12 files");
    });
    expect(code).toBe(130);
    expect(stderr).toContain(
      "Interrupted: finishing what is being written. The journal is kept: the same command goes on where it stopped.",
    );
    expect(stderr).toContain("error: Stopped after 3 of 12 files");
  });

  it("at a question is its answer and needs no other word", async () => {
    const shell = testShell(["take", "a"], { isTerminal: true });
    const { code, stderr } = await runShell(shell, async (context) => {
      setImmediate(shell.interrupt);
      await context.asking?.approve("prod", "destructive");
      return PLAN;
    });
    expect(code).toBe(130);
    expect(stderr).not.toContain("finishing");
    expect(stderr).toContain("error: Stopped before anything was applied");
  });

  it("keeps the answer of work that was done anyway", async () => {
    const shell = testShell(["take", "a"]);
    const { code } = await runShell(shell, () => {
      shell.interrupt();
      return Promise.resolve(PLAN);
    });
    expect(code).toBe(0);
  });

  it("twice ends a writing command too", async () => {
    const shell = testShell(["take", "a"]);
    const { code, stderr } = await runShell(shell, () => {
      shell.interrupt();
      setImmediate(shell.interrupt);
      return new Promise(() => undefined);
    });
    expect(code).toBe(130);
    expect(stderr).toContain("error: Interrupted\n  Why: The journal is kept");
  });

  it("is what an aborted call was, not a bug", async () => {
    const shell = testShell(["take", "a"]);
    const { code, stderr } = await runShell(shell, (context) => {
      shell.interrupt();
      return Promise.reject(context.signal.reason as Error);
    });
    expect(code).toBe(130);
    expect(stderr).not.toContain("bug");
  });
});
