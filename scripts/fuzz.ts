// `npm run fuzz -- NAME|all [--inputs N] [--seed S] [--from N] [--seeds FOLDER]… [--out FOLDER]`: a campaign. The inputs run in
// a child with little memory; one that kills it or never ends is a finding like any other, and the rest still runs.
// `npm run fuzz -- NAME --input FILE` runs one input again.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { OWN_SEEDS } from "../test/fuzz/seeds.ts";
import { TARGETS } from "../test/fuzz/targets/index.ts";
import { runCampaign } from "../test/fuzz/campaign.ts";
import { figuresTable } from "../test/fuzz/figures.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    seeds: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: ".cache/fuzz" },
    input: { type: "string" },
  },
});
const [name] = positionals;
const targets = TARGETS.filter((target) => name === "all" || target.name === name);
if (targets.length === 0) {
  console.error(
    `Usage: npm run fuzz -- NAME [--inputs N] [--seed S] [--seeds FOLDER]\n\n${TARGETS.map((one) => `  ${one.name.padEnd(14)} ${one.about}`).join("\n")}\n  all`,
  );
  process.exit(64);
}
const results = [];
for (const target of targets) {
  const result = await runCampaign({
    target: target.name,
    seed: Number(values.seed),
    from: Number(values.from),
    inputs: values.input === undefined ? Number(values.inputs) : 1,
    file: values.input === undefined ? null : resolve(values.input),
    folders: [...OWN_SEEDS, ...values.seeds.map((folder) => resolve(folder))],
    out: resolve(values.out),
    tell: (line) => console.log(line),
  });
  results.push(result);
  console.log(figuresTable([result]));
}
if (results.length > 1) console.log(`\n${figuresTable(results)}`);
process.exit(results.every((one) => one.findings.length === 0) ? 0 : 1);
