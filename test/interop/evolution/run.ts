// Random evolutions by floeplan and by Iceberg Java: the same schemas with their ids, specs, orders, properties, or
// both refuse. The same cases each time; `--seed N` makes others, `--long` ten times as many and new ones each time.
import { parseArgs } from "node:util";
import { runSuite } from "../support/expect.ts";
import { runCore } from "./core.ts";
import { DEPARTURES } from "./departures.ts";
import { startOracle } from "./oracle.ts";
import { runPlanner } from "./planner.ts";

const CORE_COMMITS = 12_000;
const PLANS = 2_500;

const { values } = parseArgs({ options: { seed: { type: "string" }, long: { type: "boolean" } }, strict: false });
const seed = typeof values.seed === "string" ? Number(values.seed) : values.long === true ? Date.now() % 1_000_000 : 20_261_130;

await runSuite("evolution", async ({ check, isLong }) => {
  const times = isLong ? 10 : 1;
  const oracle = await startOracle();
  print(`# seed ${seed}, Iceberg Java ${oracle.version}`);
  await check("the core gives the answer of Iceberg Java", async () => {
    const { counts, departures, failures } = await runCore(oracle, seed, CORE_COMMITS * times);
    print(`# ${counts.total()} commits compared`);
    for (const line of counts.lines()) print(`#   ${line}`);
    print(`# ${departures.total()} departures on purpose`);
    for (const line of departures.lines()) print(`#   ${line}`);
    for (const { name, reason } of DEPARTURES) print(`#   ${name}: ${reason}`);
    if (failures.length > 0) throw new Error(failures.map(({ words }) => words).join("\n\n"));
  });
  await check("what the planner sends ends with Iceberg Java as it does here", async () => {
    const { plans, byName, steps, refusals, failures } = await runPlanner(oracle, seed, PLANS * times);
    print(`# ${plans.total()} plans`);
    for (const line of plans.lines()) print(`#   ${line}`);
    print("# the same changes of schemas by name");
    for (const line of byName.lines()) print(`#   ${line}`);
    print(`# ${steps.total()} steps`);
    for (const line of steps.lines()) print(`#   ${line}`);
    print(`# ${refusals.total()} refusals of the planner, by rule`);
    for (const line of refusals.lines()) print(`#   ${line}`);
    if (failures.length > 0) throw new Error(failures.join("\n\n"));
  });
  await oracle.stop();
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
