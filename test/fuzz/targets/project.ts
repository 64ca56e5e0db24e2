// A project on disk through its loader: one of its files is changed (the project file, a shared group, a table file), and
// all of its environments are resolved.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadProject, resolveProject } from "../../../src/desired/load-project.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { utf8WithSurrogates } from "../mutate/text.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused } from "../target.ts";
import { mutateYaml, yamlSeeds } from "./yaml.ts";

const BASE = /(?:^|\/)acme-lake\/(.*\.yaml)$/;

/** An input is the name of the file, a line end, and the file. */
export const project: FuzzTarget = {
  name: "project",
  about: "floeplan.yaml, shared groups and table files on disk, through the loader, for each environment",
  isSeed: ({ path }) => /\.ya?ml$/.test(path),
  open: (files) => {
    const base = files.flatMap((file) => {
      const name = BASE.exec(file.path)?.[1];
      return name === undefined ? [] : [{ ...file, name }];
    });
    const root = mkdtempSync(join(tmpdir(), "floeplan-fuzz-"));
    const seeds = new Map(base.map((file) => [file.name, yamlSeeds([file])]));
    const others = yamlSeeds(files);
    for (const { name, bytes } of base) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), bytes);
    }
    let changed: (typeof base)[number] | null = null;
    return {
      make: (random) => {
        const { name } = random.once(2)
          ? (base.find((one) => one.name === "floeplan.yaml") ?? random.pick(base))
          : random.pick(base);
        const own = seeds.get(name) ?? others;
        const text = utf8WithSurrogates(mutateYaml(random.once(20) ? others : own, random));
        const content = random.once(30) ? mutateBytes(text, random, text, 3) : text;
        return new Uint8Array(Buffer.concat([Buffer.from(`${name}\n`), content]));
      },
      use: (input) => {
        const end = Math.max(0, input.indexOf(10));
        const name = new TextDecoder().decode(input.subarray(0, end));
        const kept = base.find((one) => one.name === name);
        if (kept === undefined) return refused("no such file");
        // Put right only when it is another's turn: opening files is what takes the time.
        if (changed !== null && changed !== kept) writeFileSync(join(root, changed.name), changed.bytes);
        changed = kept;
        writeFileSync(join(root, name), input.subarray(end + 1));
        return useProject(root);
      },
    };
  },
};

function useProject(root: string): Outcome {
  const loaded = loadProject(root);
  let error = loaded.diagnostics.find((one) => one.severity === "error");
  for (const { name } of loaded.config?.environments ?? []) {
    const resolved = resolveProject(loaded, name);
    error ??= resolved.diagnostics.find((one) => one.severity === "error");
  }
  return error === undefined ? ACCEPTED : refused(error.code);
}
