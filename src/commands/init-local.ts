// `init --local`: a project on a folder of this machine: the project file, the folder, and an example table where the
// folder is empty. No account, no workflows.
import { mkdir, readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { InitArguments } from "./arguments.ts";
import { cannotWrite, writeNew } from "./init-write.ts";
import { exampleTable, isPlainName, localProjectFile } from "./init-files.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";

export async function initLocal(context: CommandContext, args: InitArguments, warehouse: string): Promise<CommandResult> {
  refuseOthers(args);
  const { directory } = context;
  const [environment = "dev"] = args.environments;
  if (!isPlainName(environment)) {
    throw new ToolError("usage", "Cannot make a project of this", {
      why: `--environment "${environment}" is no plain name, like dev`,
      mend: "Write small letters, digits and hyphens",
    });
  }
  const isEmpty = await makeFolder(resolve(directory, warehouse), warehouse);
  const lines = [await writeNew(directory, "floeplan.yaml", localProjectFile(environment, warehouse))];
  if (isEmpty) lines.push(await writeNew(directory, "tables/sales/orders.yaml", exampleTable(null)));
  const next = isEmpty
    ? "Next: floeplan plan shows the example table, floeplan apply makes it."
    : "Next: floeplan import writes the files of the tables that are there, then floeplan plan shows no changes.";
  return { exit: "ok", output: { kind: "text", text: `${[...lines, "", next].join("\n")}\n` }, diagnostics: [] };
}

/** What speaks of AWS or of the forge has no place here, and must not be dropped in silence. */
function refuseOthers({ environments, ...args }: InitArguments): void {
  const others = [
    ["--second-lock", args.secondLock],
    ["--region", args.region],
    ["--account", args.account],
    ["--project", args.project],
    ["--owner", args.owner],
    ["--branch", args.branch],
    ["--action", args.action],
    ["more than one --environment", environments.length > 1 ? environments : null],
  ] as const;
  const given = others.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (given.length === 0) return;
  throw new ToolError("usage", `Cannot use ${given.join(", ")} with --local`, {
    why: "A local warehouse has one environment, and no account, owner or workflows",
    mend: "Leave it out, or leave out --local",
  });
}

/** Is it empty? */
async function makeFolder(path: string, typed: string): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true });
    return (await readdir(path)).length === 0;
  } catch (error) {
    throw cannotWrite(typed, error);
  }
}
