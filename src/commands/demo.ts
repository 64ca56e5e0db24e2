// `demo`: the whole walk on a real table in a folder of its own, with the very commands that a person types. Needs
// no project and no network.
import { spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { shellWord } from "../report/escape.ts";
import type { DemoArguments } from "./arguments.ts";
import { packageFile } from "./package-file.ts";
import type { CommandContext } from "./ports.ts";
import { relocateTable } from "./relocate-table.ts";
import type { CommandResult } from "./result.ts";

/** The folder that the example's metadata names. */
const MADE_AT = "/tmp/floeplan-demo/warehouse";
const TABLES = ["hr/iceberg_employee", "hr/iceberg_employee_dirty"] as const;

interface Scene {
  readonly say: string;
  readonly words: readonly string[];
  readonly exit: number;
}

const SCENES: readonly Scene[] = [
  { say: "A table as Spark wrote it: every column is a string.", words: ["show", "hr.iceberg_employee", "--rows", "3"], exit: 0 },
  {
    say: "tables/hr/iceberg_employee.yaml declares what it should be. The plan reads the live table, and with --preflight every value that is to be converted.",
    words: ["plan", "hr.iceberg_employee", "--preflight", "--out", "plan.json"],
    exit: 0,
  },
  {
    say: "The reviewed plan is applied, in one commit. Only the bytes of the four converted columns are written anew.",
    words: ["apply", "hr.iceberg_employee", "--plan", "plan.json"],
    exit: 0,
  },
  {
    say: "Places are kept, types are new, old field ids are retired.",
    words: ["show", "hr.iceberg_employee", "--rows", "3"],
    exit: 0,
  },
  { say: "The next plan is empty.", words: ["plan", "hr.iceberg_employee"], exit: 0 },
  {
    say: "A second table holds values that do not convert. Its plan, without --preflight, cannot know that yet.",
    words: ["plan", "hr.iceberg_employee_dirty", "--out", "dirty.json"],
    exit: 0,
  },
  {
    say: "Apply always checks before it writes: with on-error: fail nothing is written, and the reasons are counted.",
    words: ["apply", "hr.iceberg_employee_dirty", "--plan", "dirty.json"],
    exit: 3,
  },
];

export async function run(context: CommandContext, args: DemoArguments): Promise<CommandResult> {
  const folder =
    args.folder === null
      ? await mkdtemp(join(tmpdir(), "floeplan-demo-"))
      : await emptyFolder(resolve(context.directory, args.folder));
  await unpack(folder);
  context.say(`A copy of the example is in ${folder}\n`);
  for (const scene of SCENES) {
    const { words } = scene;
    context.say(`\n# ${scene.say}\n$ floeplan ${words.join(" ")}\n`);
    const exit = await runFloeplan(folder, words, context);
    if (exit !== scene.exit) {
      throw new ToolError(
        "internal",
        `The demo did not go as it should: \`floeplan ${words.join(" ")}\` ended with ${exit}, not ${scene.exit}`,
        { context: { folder } },
      );
    }
  }
  return { exit: "ok", output: { kind: "text", text: nowYours(folder) }, diagnostics: [] };
}

/** Lines that can be typed as they stand, also where the program is not on the path. */
function nowYours(folder: string): string {
  const quote = (word: string): string => shellWord(word) ?? word;
  return `
# That was all of it. Now yours; the alias, where floeplan is not installed:
cd ${quote(folder)}
alias floeplan="node ${quote(process.argv[1] ?? "floeplan")}"
floeplan explain rewrite                 # what the words of a plan mean
floeplan plan                            # after a change in tables/hr/iceberg_employee.yaml
floeplan rollback hr.iceberg_employee    # undo the conversions
`;
}

async function emptyFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new ToolError("usage", `Cannot make the demo in "${folder}": the folder is not empty`, {
      mend: "Name a new folder, or none",
    });
  }
  return folder;
}

async function unpack(folder: string): Promise<void> {
  await cp(packageFile("examples/employees"), folder, { recursive: true });
  await makeWritable(folder);
  const warehouse = join(folder, "warehouse");
  for (const table of TABLES) await relocateTable(join(warehouse, table), MADE_AT, warehouse);
}

/** Packages may be installed read-only. */
async function makeWritable(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const { mode } = await stat(path);
    await chmod(path, mode | 0o200);
  }
}

/** Runs this very program in the folder, its output as it comes. */
async function runFloeplan(folder: string, words: readonly string[], context: CommandContext): Promise<number> {
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...words], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...context.variables, FLOEPLAN_ENV: "" },
    signal: context.signal,
  });
  return await new Promise((settle, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => settle(code ?? 1));
  });
}
