// Help and the README's tables come from the one table of commands.
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { commandHelp, commandsMarkdown, exitCodesMarkdown, helpText, optionsMarkdown } from "../../src/cli/help.ts";
import { VERSION } from "../../src/cli/version.ts";
import { runShell, testCommands, testShell, OK } from "./shell.ts";

const golden = (name: string): string => resolve(import.meta.dirname, "goldens", name);
const commands = testCommands(() => Promise.resolve(OK));

describe("help", () => {
  it("lists the commands that are built, and only those", async () => {
    const { code, stdout } = await runShell(testShell(["--help"]));
    expect(code).toBe(0);
    expect(stdout).toBe(helpText(commands));
    expect(stdout).not.toContain("later");
    await expect(stdout.replace(VERSION, "VERSION")).toMatchFileSnapshot(golden("help.txt"));
  });

  it.each([
    ["look", ["look", "--help"]],
    ["look", ["-h", "look"]],
    ["take", ["take", "-h"]],
    ["look", ["help", "look"]],
    ["take", ["help", "take", "--quiet"]],
  ] as const)("of %s is shown for %j, even without its operand", async (name, argv) => {
    const { code, stdout } = await runShell(testShell(argv));
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: floeplan ${name}`);
  });

  it.each(COMMANDS.map((one) => [one.name, one] as const))("reads well: %s", async (name, command) => {
    const text = commandHelp(command);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    await expect(text).toMatchFileSnapshot(golden(`help-${name}.txt`));
  });

  it("is what `help` alone shows, too", async () => {
    expect(await runShell(testShell(["help"]))).toEqual(await runShell(testShell(["--help"])));
    expect((await runShell(testShell(["help", "lok"]))).stderr).toContain('Did you mean "look"?');
  });

  it("tells the version", async () => {
    expect(await runShell(testShell(["--version"]))).toEqual({ code: 0, stdout: `floeplan ${VERSION}\n`, stderr: "" });
  });

  it("knows its examples: each names its command and only options that exist", () => {
    for (const one of COMMANDS) {
      for (const example of one.examples) expect(example).toMatch(new RegExp(`^floeplan ${one.name}( |$)`));
    }
  });
});

describe("tables for the README", () => {
  it("hold what the help holds", async () => {
    const [, take] = commands;
    if (take === undefined) throw new Error("no command");
    const page = [commandsMarkdown(commands), optionsMarkdown(null), optionsMarkdown(take), exitCodesMarkdown()].join("\n");
    await expect(page).toMatchFileSnapshot(golden("readme-tables.md"));
  });
});
