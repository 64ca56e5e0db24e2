// Builds dist/ from src/: empties it, bundles, makes the command executable. Deterministic: the same sources
// give the same bytes. `tsx scripts/build.ts [FOLDER]` builds elsewhere, for the check that dist/ is current.
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { bundleInput, bundleOutput } from "./bundle-config.ts";

const out = process.argv[2] ?? "dist";
await rm(out, { recursive: true, force: true });
const bundle = await rolldown(bundleInput);
await bundle.write({ ...bundleOutput, dir: out });
await bundle.close();

const entry = join(out, "index.js");
const text = await readFile(entry, "utf8");
if (!text.startsWith("#!")) await writeFile(entry, `#!/usr/bin/env node\n${text}`);
await chmod(entry, 0o755);
