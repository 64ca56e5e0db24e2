// Compiles one Java source file of java/ against jars, once. Knows nothing of what the program does.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./child.ts";
import { installOnce } from "./install.ts";
import { findJava } from "./java.ts";

/** The command that runs java/NAME.java on the class path; Java's options and the program's words are the caller's. */
export async function javaProgram(
  name: "RestServer",
  jars: readonly string[],
): Promise<{ readonly java: string; readonly classPath: string; readonly main: string }> {
  const source = join(import.meta.dirname, "java", `${name}.java`);
  const java = findJava(17);
  const compiler = join(java.home, "bin/javac");
  if (!existsSync(compiler)) throw new Error(`Cannot compile ${name}.java: "${java.home}" is no JDK, it has no javac`);
  const key = createHash("sha256").update(readFileSync(source, "utf8")).update(jars.join("\n")).digest("hex");
  const { folder } = await installOnce({
    what: `Java program "${name}"`,
    folder: join("java", `${name}-${key.slice(0, 12)}`),
    make: async (into) => {
      await runToEnd({ name: `javac-${name}`, command: [compiler, "-nowarn", "-cp", jars.join(":"), "-d", into, source] });
    },
  });
  return { java: java.command, classPath: [folder, ...jars].join(":"), main: name };
}
