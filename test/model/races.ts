// Writers of ours at once on one table: each reads, builds, commits, and reads again after a conflict. Every commit counts one
// up on what it read and puts a column in another's place, so that a lost one is missing in the sum and in the log.
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { LiveTable, TableIdentifier } from "../../src/iceberg/live-table.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import { LAST_ADDED } from "../../src/iceberg/table-update.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { Lake } from "./lake.ts";

export interface RaceFigures {
  readonly done: number;
  readonly conflicts: number;
  /** Told as done and not in the table, or there and told otherwise. */
  readonly lost: number;
}

export async function race({ catalog, identifier, location }: Lake, writers: number, commitsEach: number): Promise<RaceFigures> {
  if (!(await catalog.namespaceExists(identifier.namespace))) await catalog.createNamespace(identifier.namespace);
  const table = { identifier, location };
  const properties = { "write.metadata.previous-versions-max": String(writers * commitsEach + 10) };
  const made = await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table), properties));
  if (made.state !== "done") throw new Error(`${made.state}: ${made.why}`);
  const figures = { done: 0, conflicts: 0 };
  const write = async (writer: number): Promise<void> => {
    for (let round = 1; round <= commitsEach; ) {
      const outcome = await commitOne(catalog, identifier, writer, round);
      if (outcome.state === "done") {
        round++;
        figures.done++;
      } else if (outcome.state === "conflict") {
        figures.conflicts++;
        await new Promise((resume) => setTimeout(resume, Math.random() * 10));
      } else throw new Error(`${outcome.state}: ${outcome.why}`);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const { metadata } = await loaded(catalog, identifier);
  const counted = Number(metadata.properties["count"] ?? "0");
  const last = Array.from({ length: writers }, (_, writer) => Number(metadata.properties[`writer-${writer}`] ?? "0"));
  const missing = last.reduce((sum, round) => sum + (commitsEach - round), 0);
  const lost = Math.max(Math.abs(figures.done - counted), Math.abs(figures.done - metadata.metadataLog.length), missing);
  return { ...figures, lost };
}

async function loaded(catalog: Catalog, identifier: TableIdentifier): Promise<LiveTable> {
  const live = await catalog.loadTable(identifier);
  if (live === null) throw new Error("The table is gone");
  return live;
}

/** The last column and its schema go, so that the table stays as small as it is. */
async function commitOne(
  catalog: Catalog,
  identifier: TableIdentifier,
  writer: number,
  round: number,
): ReturnType<Catalog["commit"]> {
  const live = await loaded(catalog, identifier);
  const { currentSchemaId, lastColumnId, properties } = live.metadata;
  const id = lastColumnId + 1;
  const { fields } = currentSchema(live.metadata);
  const field = { id, name: `c_${id}`, required: false, type: { kind: "string" } } as const;
  const schema = { schemaId: 0, identifierFieldIds: [], fields: [...fields.slice(0, 3), field] };
  const commit = commitOn(
    live,
    [
      { action: "add-schema", schema, lastColumnId: id },
      { action: "set-current-schema", schemaId: LAST_ADDED },
      { action: "remove-schemas", schemaIds: [currentSchemaId] },
      setProperty(`writer-${writer}`, String(round)),
      setProperty("count", String(Number(properties["count"] ?? "0") + 1)),
    ],
    [
      { type: "assert-current-schema-id", currentSchemaId },
      { type: "assert-last-assigned-field-id", lastAssignedFieldId: lastColumnId },
    ],
  );
  return await catalog.commit(live, commit);
}
