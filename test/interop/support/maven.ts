// Java archives with pinned versions and checksums, fetched by Maven once: single jars, and the whole class path of a
// program described by maven/NAME.xml. Knows nothing of what they are used for.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailed, runToEnd } from "./child.ts";
import { type Installation, installOnce } from "./install.ts";
import { findJava } from "./java.ts";

interface Pin {
  readonly coordinates: string;
  readonly file: string;
  readonly sha256: string;
}

const PINS = {
  "iceberg-spark-runtime": {
    coordinates: "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1",
    file: "iceberg-spark-runtime-4.0_2.13-1.10.1.jar",
    sha256: "2192a0881ed0f5773b5a83a8820d2b0b2069beec203028643a1c338551007f09",
  },
  "iceberg-aws-bundle": {
    coordinates: "org.apache.iceberg:iceberg-aws-bundle:1.10.1",
    file: "iceberg-aws-bundle-1.10.1.jar",
    sha256: "86bf20892ea5b4c17688f19b075399885f6aa5303f6b2dc9f491e76ceef9633b",
  },
  // AWS's own catalog of S3 Tables for Iceberg Java, and the jars of its needs that the others do not bring.
  "s3-tables-catalog": {
    coordinates: "software.amazon.s3tables:s3-tables-catalog-for-iceberg:0.1.8",
    file: "s3-tables-catalog-for-iceberg-0.1.8.jar",
    sha256: "474445e4596955e2ffe707406442e5672c8888323bb598ed024f7b33bed8cd21",
  },
  "aws-s3-tables-client": {
    coordinates: "software.amazon.awssdk:s3tables:2.29.26",
    file: "s3tables-2.29.26.jar",
    sha256: "a07682940dd414faa664cca93f9eafaa3077d27f9948f9a741b0046ccda3af26",
  },
  "commons-configuration": {
    coordinates: "org.apache.commons:commons-configuration2:2.11.0",
    file: "commons-configuration2-2.11.0.jar",
    sha256: "48957fc3a0d9fbd221fe4f5ff6d0294ce6646ea139793c36706703da59402683",
  },
  caffeine: {
    coordinates: "com.github.ben-manes.caffeine:caffeine:3.1.8",
    file: "caffeine-3.1.8.jar",
    sha256: "7dd15f9df1be238ffaa367ce6f556737a88031de4294dad18eef57c474ddf1d3",
  },
} as const satisfies Readonly<Record<string, Pin>>;

export type JarName = keyof typeof PINS;

export interface InstalledJars extends Installation {
  /** Absolute paths, sorted. */
  readonly jars: readonly string[];
}

const PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
const DEFINITIONS = join(import.meta.dirname, "maven");

export async function mavenJar(name: JarName): Promise<InstalledJars> {
  const pin = PINS[name];
  return await fetchJars(name, new Map([[pin.file, pin.sha256]]), (folder) => [
    `${PLUGIN}:copy`,
    `-Dartifact=${pin.coordinates}`,
    `-DoutputDirectory=${folder}`,
  ]);
}

/** All jars of maven/NAME.xml, as maven/NAME.sha256 lists them. */
export async function mavenClassPath(name: "rest-server" | "evolution-oracle"): Promise<InstalledJars> {
  const lines = (await readFile(join(DEFINITIONS, `${name}.sha256`), "utf8")).trim().split("\n");
  const wanted = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)] as const));
  return await fetchJars(name, wanted, (folder) => [
    "--file",
    join(DEFINITIONS, `${name}.xml`),
    `${PLUGIN}:copy-dependencies`,
    `-DoutputDirectory=${folder}`,
  ]);
}

async function fetchJars(
  name: string,
  wanted: ReadonlyMap<string, string>,
  words: (folder: string) => readonly string[],
): Promise<InstalledJars> {
  const key = createHash("sha256")
    .update([...wanted].join("\n"))
    .digest("hex")
    .slice(0, 12);
  const what = `Java archives "${name}"`;
  const installation = await installOnce({
    what,
    folder: join("java", `${name}-${key}`),
    make: async (folder) => {
      await runMaven(what, name, words(folder));
      await checkAll(what, folder, wanted);
    },
  });
  return { ...installation, jars: [...wanted.keys()].sort().map((file) => join(installation.folder, file)) };
}

async function runMaven(what: string, name: string, words: readonly string[]): Promise<void> {
  const { home } = findJava(17);
  try {
    await runToEnd({
      name: `maven-${name}`,
      command: ["mvn", "--quiet", "--batch-mode", "-Dstyle.color=never", ...words],
      variables: { JAVA_HOME: home },
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (/No such file.*mvn/i.test(error.output))
      throw new Error(`Cannot install ${what}: Maven (mvn) is not on the PATH`, { cause: error });
    if (!/Could not transfer|Unknown host|offline mode|Connect to|timed out/i.test(error.output)) throw error;
    throw new Error(
      `Cannot install ${what}: Maven's repository was not reached. Installed once, they work offline.\n${error.message}`,
      {
        cause: error,
      },
    );
  }
}

async function checkAll(what: string, folder: string, wanted: ReadonlyMap<string, string>): Promise<void> {
  const found = (await readdir(folder)).filter((file) => file.endsWith(".jar"));
  const unknown = found.filter((file) => !wanted.has(file));
  if (unknown.length > 0)
    throw new Error(`Cannot install ${what}: Maven brought ${unknown.join(", ")}, which no checksum is known of`);
  for (const [file, sha256] of wanted) {
    const actual = createHash("sha256")
      .update(await readFile(join(folder, file)))
      .digest("hex");
    if (actual !== sha256) throw new Error(`Cannot install ${what}: ${file} has the checksum ${actual}, wanted is ${sha256}`);
  }
}
