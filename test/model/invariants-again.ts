// I7: an apply that was interrupted, run again, ends in the state that the plan before it promised.
import type { TableResult } from "../../src/apply/result.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { currentSchema, defaultSortOrder, defaultSpec, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Planned } from "./product.ts";
import { ensure } from "./tally.ts";
import type { World } from "./world.ts";

export function i7EndsInTheSameState(
  world: World,
  before: Planned,
  again: TableResult,
  live: LiveTable,
  hadLanded: boolean,
): void {
  if (before.simulated === null) {
    ensure(
      live.metadataLocation === before.pair.live?.metadataLocation,
      "I7",
      () => "there was nothing to do, and the table moved",
    );
    return;
  }
  // A held table stays as it is, and so does one whose values do not convert.
  if (again.outcome === "held" || again.outcome === "blocked") return;
  const isDone = again.outcome === "applied" || again.outcome === "in-step";
  ensure(
    isDone,
    "I7",
    () => `run again, the apply ended as ${again.outcome}: ${again.error?.message ?? JSON.stringify(again.problems)}`,
  );
  const [is, shall] = [stateOf(live.metadata), stateOf(before.simulated)];
  ensure(is === shall, "I7", () => `the table is ${is} and not ${shall}`);
  world.tally.add(hadLanded ? "I7 applies that died after their commit" : "I7 applies that died before their commit");
  if (before.plan.steps.some(({ effect }) => effect === "rewrite")) world.tally.add("I7 conversions that died and were resumed");
}

/** What the next reader and writer go by: ids, names and types, layout, properties of others and of the file. */
function stateOf(metadata: TableMetadata): string {
  const properties = Object.entries(metadata.properties).filter(([key]) => !key.startsWith("floeplan."));
  return JSON.stringify([
    currentSchema(metadata).fields,
    currentSchema(metadata).identifierFieldIds,
    defaultSpec(metadata).fields,
    defaultSortOrder(metadata).fields,
    properties.sort(([a], [b]) => (a < b ? -1 : 1)),
    metadata.formatVersion,
  ]);
}
