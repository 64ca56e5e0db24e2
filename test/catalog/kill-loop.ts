// A program that commits until it is killed. It says `begin N` before and `done N` after each commit, so that the
// test which kills it knows what must be there. Arguments: warehouse, writer's name, `commit` or `create`.
import { writeSync } from "node:fs";
import { createLocalCatalog } from "../../src/catalog/local.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { createLocalStore } from "../../src/storage/local.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";

const [warehouse = "", writer = "", mode = ""] = process.argv.slice(2);
const catalog = createLocalCatalog({ name: "lake", warehouse, store: createLocalStore(), ports: systemPorts() });
const orders = { namespace: ["sales"], name: "orders" };

for (let round = 1; ; round++) {
  writeSync(1, `begin ${round}\n`);
  if (mode === "create") await createNext(round);
  else await commitNext();
  writeSync(1, `done ${round}\n`);
}

async function createNext(round: number): Promise<void> {
  const table = { identifier: { namespace: ["sales"], name: `${writer}-${round}` }, location: null };
  const outcome = await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table)));
  if (outcome.state !== "done") throw new Error(`${outcome.state}: ${outcome.why}`);
}

async function commitNext(): Promise<void> {
  for (;;) {
    const live = await catalog.loadTable(orders);
    if (live === null) throw new Error("the table is gone");
    const count = Number(live.metadata.properties[writer] ?? "0") + 1;
    const outcome = await catalog.commit(live, commitOn(live, [setProperty(writer, String(count))]));
    if (outcome.state === "done") return;
    if (outcome.state !== "conflict") throw new Error(`${outcome.state}: ${outcome.why}`);
  }
}
