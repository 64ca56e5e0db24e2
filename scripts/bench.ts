// Runs benches: `npm run bench -- NAME [ARGUMENTS]` runs test/bench/NAME.ts; without a name all run, one after the other,
// and what they print becomes docs/bench.md, with the machine. A bench prints ratios against something real measured in
// the same run, and fails only where it cannot measure.
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const FOLDER = join(ROOT, "test/bench");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -3));

function bench(name: string, words: readonly string[], output: "inherit" | "pipe"): { status: number; text: string } {
  const command = ["--import", "tsx", join(FOLDER, `${name}.ts`), ...words];
  const run = spawnSync(process.execPath, command, { stdio: ["ignore", output, "inherit"], encoding: "utf8" });
  return { status: run.status ?? 1, text: run.stdout ?? "" };
}

function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const processors = `${cpus().length} processors (${first?.model ?? "unknown"}), ${memory} GiB of memory`;
  return `${processors}, ${platform()} ${arch()} ${release()}, Node ${process.versions.node}`;
}

function all(): number {
  const parts = [
    "# Benches",
    "",
    "Written by `npm run bench` in one run: what each bench printed. A ratio is against something real in the same run, so it",
    "says more than a time. What each measures stands at the head of `test/bench/NAME.ts`.",
    "",
    `${new Date().toISOString().slice(0, 10)}; ${machine()}.`,
  ];
  for (const name of NAMES) {
    console.log(`# ${name}`);
    const { status, text } = bench(name, [], "pipe");
    process.stdout.write(text);
    if (status !== 0) return status;
    // Figures for programs are left to the terminal.
    const told = text.split("\n").filter((line) => !line.startsWith("{"));
    parts.push("", `## ${name}`, "", "```", told.join("\n").trimEnd(), "```");
  }
  writeFileSync(join(ROOT, "docs/bench.md"), `${parts.join("\n")}\n`);
  return 0;
}

const [name, ...words] = process.argv.slice(2);
if (name === undefined) process.exitCode = all();
else if (NAMES.includes(name)) process.exitCode = bench(name, words, "inherit").status;
else {
  console.error(`Usage: npm run bench [-- ${NAMES.join(" | ")}]`);
  process.exitCode = 64;
}
