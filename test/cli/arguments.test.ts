// The command line: what is read, and what is said about what cannot be read.
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { commandFor, OTHER_WORDS } from "../../src/cli/other-words.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";
import { optionName, SHELL_OPTIONS, type OptionSpec } from "../../src/cli/options.ts";
import { argumentsOf, runShell, testShell } from "./shell.ts";

const NOTHING = { config: null, env: null, exclude: [], changed: null, exitCode: false, selectors: [] };

describe("a word of another tool", () => {
  it("is answered with the command that does it, and is no command of ours", () => {
    for (const [name, words] of Object.entries(OTHER_WORDS)) {
      for (const word of words) {
        expect(COMMANDS.map((one) => one.name)).not.toContain(word);
        expect(() => parseArguments([word], COMMANDS, {})).toThrow(`Unknown command "${word}"`);
        expect(commandFor(word.toUpperCase())).toBe(name);
      }
      expect(COMMANDS.map((one) => one.name)).toContain(name);
    }
  });

  it.each([
    ["diff", "plan"],
    ["lint", "validate"],
    ["undo", "rollback"],
  ])("%s: did you mean %s", (word, meant) => {
    const parse = (): unknown => parseArguments([word], COMMANDS, {});
    expect(parse).toThrow(expect.objectContaining({ mend: `Did you mean "${meant}"?` }));
  });
});

describe("a command line", () => {
  it.each([
    [["look"], NOTHING],
    [["look", "sales.orders", "web.*"], { ...NOTHING, selectors: ["sales.orders", "web.*"] }],
    [["look", "-e", "prod", "-c", "x.yaml"], { ...NOTHING, env: "prod", config: "x.yaml" }],
    [["look", "-eprod", "--config=x.yaml"], { ...NOTHING, env: "prod", config: "x.yaml" }],
    [["-e", "prod", "look", "a"], { ...NOTHING, env: "prod", selectors: ["a"] }],
    [["look", "--exit-code", "a"], { ...NOTHING, exitCode: true, selectors: ["a"] }],
    [["look", "--exclude", "a", "--exclude=b,c"], { ...NOTHING, exclude: ["a", "b,c"] }],
    [["look", "--changed", "a"], { ...NOTHING, changed: true, selectors: ["a"] }],
    [["look", "--changed=main", "a"], { ...NOTHING, changed: "main", selectors: ["a"] }],
    [["look", "--", "-a", "--env"], { ...NOTHING, selectors: ["-a", "--env"] }],
    [["look", "--env=-odd"], { ...NOTHING, env: "-odd" }],
    [["look", "-e", "dev", "--env", "dev"], { ...NOTHING, env: "dev" }],
    [["look", "-"], { ...NOTHING, selectors: ["-"] }],
    [
      ["take", "t", "--approve", "11111111,22222222", "--approve=33333333"],
      { config: null, env: null, table: "t", rows: null, approve: ["11111111", "22222222", "33333333"] },
    ],
  ] as const)("is read: %j", async (argv, wanted) => {
    expect(await argumentsOf(argv)).toEqual(wanted);
  });

  it("takes the environment from FLOEPLAN_ENV, an option before it, an empty one for none", async () => {
    expect(await argumentsOf(["look"], { FLOEPLAN_ENV: "dev" })).toMatchObject({ env: "dev" });
    expect(await argumentsOf(["look", "-e", "prod"], { FLOEPLAN_ENV: "dev" })).toMatchObject({ env: "prod" });
    expect(await argumentsOf(["take", "t", "--rows", "12"])).toMatchObject({ rows: 12 });
    expect(await argumentsOf(["look"], { FLOEPLAN_ENV: "" })).toMatchObject({ env: null });
  });

  it.each([
    [["lok"], ['Unknown command "lok"', 'Did you mean "look"?']],
    [["later"], ['Unknown command "later"', "lists the commands"]],
    [["xyzzy"], ['Unknown command "xyzzy"', "`floeplan --help` lists the commands"]],
    [
      ["look", "--exlude", "a"],
      ['Unknown option "--exlude" of look', 'Did you mean "--exclude"?'],
    ],
    [
      ["look", "-x"],
      ['Unknown option "-x" of look', "`floeplan look --help` lists the options"],
    ],
    [["look", "-vx"], ['Unknown option "-x" of look']],
    [["--wat"], ['Unknown option "--wat"', "`floeplan --help` lists the options"]],
    [
      ["look", "--approve", "x"],
      ['Option "--approve" is not an option of look', "It is one of take"],
    ],
    [
      ["--approve", "x"],
      ['Option "--approve" is not an option', "Name the command: it is one of take"],
    ],
    [["look", "--env"], ['Option "--env" needs a value: --env=ENV']],
    [["look", "-e"], ['Option "--env" needs a value']],
    [
      ["look", "-e", "--exit-code"],
      ['"--exit-code" looks like an option', "write --env=--exit-code"],
    ],
    [["look", "--env="], ['Option "--env" was given an empty value']],
    [["look", "--exit-code=yes"], ['Option "--exit-code" takes no value; it was given "yes"']],
    [["look", "-e", "a", "-e", "b"], ['Option "--env" was given twice: "a" and "b"']],
    [["look", "--changed", "--changed=main"], ['Option "--changed" was given twice: "true" and "main"']],
    [
      ["look", "--format", "jsn"],
      ['must be one of "terminal", "markdown", "json"; it is "jsn"', 'Did you mean "json"?'],
    ],
    [["look", "--format", "html"], ['it is "html"']],
    [
      ["look", "--out", "plan.txt"],
      ['Cannot write "plan.txt": its ending names no format', "Endings are .json, .md"],
    ],
    [["look", "--out", "plan"], ['Cannot write "plan"']],
    [["look", "-q", "-v"], ['"--quiet" and "--verbose" exclude each other']],
    [["take"], ['"take" needs TABLE: The table', "`floeplan take --help` shows how"]],
    [["take", "a", "b"], ['"take" takes one TABLE; it was given 2: "a", "b"']],
    [["take", "a", "--approve", "x,,y"], ['Option "--approve" was given an empty value']],
    [["take", "a", "--rows", "some"], ['Option "--rows" must be a whole number from 0; it is "some"']],
    [["take", "a", "--rows=-1"], ['it is "-1"']],
    [["look", "--__proto__"], ['Unknown option "--__proto__" of look']],
    [["look", "--color", "sometimes"], ['Option "--color" must be one of "auto", "always", "never"']],
  ] as const)("is refused with the reason and the nearest: %j", async (argv, wanted) => {
    const { code, stdout, stderr } = await runShell(testShell(argv));
    expect([code, stdout]).toEqual([64, ""]);
    for (const part of wanted) expect(stderr).toContain(part);
  });

  it("without a command shows the help as an error", async () => {
    const { code, stdout, stderr } = await runShell(testShell([]));
    expect([code, stdout]).toEqual([64, ""]);
    expect(stderr).toContain("Usage: floeplan COMMAND [OPTIONS]");
  });

  it("shows nothing of hostile words that could act", async () => {
    const { stderr } = await runShell(testShell(["look", "--\u001b[31m\n::error::x"]));
    expect(stderr).toContain("--\\u{001B}[31m\\n::error::x");
    expect(stderr).not.toContain("\u001b");
    expect(stderr).not.toMatch(/^::/m);
  });
});

describe("the table of commands", () => {
  const all = (): [string, string, OptionSpec][] =>
    COMMANDS.flatMap((one) =>
      Object.entries<OptionSpec>({ ...SHELL_OPTIONS, ...one.options }).map(([key, spec]): [string, string, OptionSpec] => [
        one.name,
        key,
        spec,
      ]),
    );

  it("gives a word one meaning in all commands, as one parser reads them all", () => {
    const kinds = new Map<string, string>();
    const shorts = new Map<string, string>();
    for (const [, key, spec] of all()) {
      const isText = spec.kind === "value" || spec.kind === "list" || spec.kind === "number" ? "text" : "none";
      expect(kinds.get(optionName(key)) ?? isText).toBe(isText);
      kinds.set(optionName(key), isText);
      if (spec.short === undefined) continue;
      expect(shorts.get(spec.short) ?? key).toBe(key);
      shorts.set(spec.short, key);
    }
  });

  it("never reads an operand as an option", () => {
    for (const one of COMMANDS) expect(Object.keys(one.options)).not.toContain(one.operand?.key);
    for (const one of COMMANDS) expect(Object.keys(SHELL_OPTIONS).filter((key) => Object.hasOwn(one.options, key))).toEqual([]);
  });

  it("describes everything in one line without a full stop", () => {
    const texts = [
      ...all().map(([, , spec]) => spec.summary),
      ...COMMANDS.flatMap((one) => [one.summary, one.operand?.summary ?? "x".repeat(12)]),
    ];
    for (const text of texts) {
      expect(text).not.toMatch(/[\n.]$/);
      expect(text.length).toBeGreaterThan(8);
    }
  });
});
