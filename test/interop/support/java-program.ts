// Compiles a Java program of java/ against jars, once. Knows nothing of what the program does.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./child.ts";
import { installOnce } from "./install.ts";
import { findJava } from "./java.ts";

/** The source files of each program, that of its main class first. */
const SOURCES = {
  RestServer: ["RestServer"],
  EvolutionOracle: ["EvolutionOracle", "EvolutionOperations"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The command that runs java/NAME.java on the class path; Java's options and the program's words are the caller's. */
export async function javaProgram(
  name: keyof typeof SOURCES,
  jars: readonly string[],
): Promise<{ readonly java: string; readonly classPath: string; readonly main: string }> {
  const sources = SOURCES[name].map((source) => join(import.meta.dirname, "java", `${source}.java`));
  const java = findJava(17);
  const compiler = join(java.home, "bin/javac");
  if (!existsSync(compiler)) throw new Error(`Cannot compile ${name}.java: "${java.home}" is no JDK, it has no javac`);
  const hash = createHash("sha256");
  for (const source of sources) hash.update(readFileSync(source, "utf8"));
  const key = hash.update(jars.join("\n")).digest("hex");
  const { folder } = await installOnce({
    what: `Java program "${name}"`,
    folder: join("java", `${name}-${key.slice(0, 12)}`),
    make: async (into) => {
      await runToEnd({ name: `javac-${name}`, command: [compiler, "-nowarn", "-cp", jars.join(":"), "-d", into, ...sources] });
    },
  });
  return { java: java.command, classPath: [folder, ...jars].join(":"), main: name };
}
