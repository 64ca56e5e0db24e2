// A project whose catalog is a REST catalog, in a scratch folder, and what a suite asks of floeplan there.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runFloeplan } from "../support/floeplan.ts";

export interface RestProject {
  /** Writes the file of the one table. */
  readonly declare: (text: string) => Promise<void>;
  /** Takes all files of tables away. */
  readonly forget: () => Promise<void>;
  /** Runs it, fails unless it ends with that code, and gives what it printed. */
  readonly expect: (exit: number, ...words: readonly string[]) => Promise<string>;
  /** Plans into a file and applies it. */
  readonly apply: () => Promise<void>;
}

export interface RestProjectOptions {
  readonly folder: string;
  /** The catalog in YAML's flow style. */
  readonly catalog: string;
  /** Of the runs, secrets among them. */
  readonly variables?: Readonly<Record<string, string>>;
}

export async function restProject({ folder, catalog, variables = {} }: RestProjectOptions): Promise<RestProject> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "floeplan.yaml"),
    `floeplan: 1\ntables: [ "tables/**/*.yaml" ]\nenvironments:\n  test: { catalogs: { lake: ${catalog} } }\n`,
  );
  const expect: RestProject["expect"] = async (exit, ...words) => {
    const ran = await runFloeplan(words, { folder, variables });
    if (ran.exit === exit) return ran.stdout;
    throw new Error(`floeplan ${words.join(" ")} ended with ${ran.exit}, not ${exit}\n${ran.stdout}${ran.stderr}`);
  };
  return {
    expect,
    declare: async (text) => {
      await mkdir(join(folder, "tables"), { recursive: true });
      await writeFile(join(folder, "tables/table.yaml"), text);
    },
    forget: async () => await rm(join(folder, "tables"), { recursive: true, force: true }),
    apply: async () => {
      await expect(0, "plan", "--out", "plan.json");
      await expect(0, "apply", "--plan", "plan.json");
    },
  };
}
