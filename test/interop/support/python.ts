// Python environments with exactly pinned packages, one a requirements file, each made once. A suite asks for those
// that it needs and no others are installed. Knows nothing of the programs that run in them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandFailed, runToEnd } from "./child.ts";
import { type Installation, installOnce } from "./install.ts";

/** Each is requirements/NAME.txt. */
export type EnvironmentName = "light" | "spark" | "moto" | "ministack" | "seaweedfs" | "act";

export interface PythonEnvironment extends Installation {
  readonly python: string;
}

/** The oldest that has wheels of every pinned package. */
const OLDEST: readonly [number, number] = [3, 11];

export async function pythonEnvironment(name: EnvironmentName): Promise<PythonEnvironment> {
  const file = resolve(import.meta.dirname, "requirements", `${name}.txt`);
  const base = basePython();
  const key = createHash("sha256")
    .update(`${readFileSync(file, "utf8")}\n${base.version} ${process.platform} ${process.arch}`)
    .digest("hex");
  const what = `Python packages "${name}"`;
  const installation = await installOnce({
    what,
    folder: join("python", `${name}-${key.slice(0, 12)}`),
    make: async (folder) => {
      await runToEnd({ name: `venv-${name}`, command: [base.command, "-m", "venv", folder] });
      const python = interpreter(folder);
      const pip = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--no-compile", "--no-deps"];
      await explained(
        what,
        runToEnd({ name: `pip-${name}`, command: [python, ...pip, "--only-binary", ":all:", "--requirement", file] }),
      );
      await runToEnd({ name: `pip-check-${name}`, command: [python, "-m", "pip", "check"] });
    },
  });
  return { ...installation, python: interpreter(installation.folder) };
}

function interpreter(folder: string): string {
  return join(folder, "bin/python");
}

/** The one network failure that everybody meets is said in one sentence; the rest is pip's own. */
async function explained(what: string, install: Promise<void>): Promise<void> {
  try {
    await install;
  } catch (error) {
    if (
      !(error instanceof CommandFailed) ||
      !/from versions: none|connection|resolve host|name resolution|timed out|unreachable|proxy/i.test(error.output)
    )
      throw error;
    throw new Error(
      `Cannot install ${what}: the package index was not reached. Installed once, they work offline.\n${error.message}`,
      {
        cause: error,
      },
    );
  }
}

function basePython(): { readonly command: string; readonly version: string } {
  const named = process.env["FLOEPLAN_PYTHON"];
  const candidates = named === undefined ? ["python3.11", "python3.12", "python3.13", "python3"] : [named];
  for (const command of candidates) {
    const asked = spawnSync(command, ["-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"], {
      encoding: "utf8",
    });
    const [major = 0, minor = 0] = (asked.stdout ?? "").trim().split(".").map(Number);
    if (asked.status === 0 && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])))
      return { command, version: `${major}.${minor}` };
  }
  throw new Error(
    `Cannot find Python ${OLDEST.join(".")} or newer with venv (tried ${candidates.join(", ")}). Install it, or name it in FLOEPLAN_PYTHON`,
  );
}

/** The file of a package in an environment, e.g. `site-packages/pyspark`. */
export function packageFolder(environment: PythonEnvironment, name: string): string {
  const version = spawnSync(environment.python, ["-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"], {
    encoding: "utf8",
  });
  const folder = join(version.stdout.trim(), name);
  if (!existsSync(folder)) throw new Error(`Cannot find the package "${name}" in ${environment.folder}`);
  return folder;
}
