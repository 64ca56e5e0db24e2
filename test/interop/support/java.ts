// Finds a Java of a wanted major version among those that the machine has. Starts none: what a home holds is read
// from its `release` file.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Java {
  readonly home: string;
  readonly command: string;
  /** For example 17.0.15. */
  readonly version: string;
}

const FOLDERS = ["/usr/lib/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines"];

/** Null where the machine has none of this version. */
export function findJavaOrNull(major: number): Java | null {
  for (const home of candidateHomes(major)) {
    const java = readHome(home);
    if (java !== null && java.version.split(".")[0] === String(major)) return java;
  }
  return null;
}

export function findJava(major: number): Java {
  const java = findJavaOrNull(major);
  if (java === null) throw new Error(`Cannot find Java ${major}. Install it, or set JAVA_HOME to it`);
  return java;
}

function candidateHomes(major: number): readonly string[] {
  const named = ["JAVA_HOME", `JDK${major}`, `JAVA_HOME_${major}_X64`, `JAVA_HOME_${major}_arm64`].flatMap(
    (name) => process.env[name] ?? [],
  );
  const onPath = spawnSync("which", ["java"], { encoding: "utf8" }).stdout.trim();
  const ofPath = onPath === "" ? [] : [dirname(dirname(realpathSync(onPath)))];
  const installed = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, "Contents/Home")]),
  );
  return [...named, ...ofPath, ...installed];
}

function readHome(home: string): Java | null {
  const [command, release] = [join(home, "bin/java"), join(home, "release")];
  if (!existsSync(command) || !existsSync(release)) return null;
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(release, "utf8"))?.[1];
  return version === undefined ? null : { home, command, version };
}
