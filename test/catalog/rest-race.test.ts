// Writers of ours and others commit to one table at once, while answers get lost: every commit that was told as done is
// in the table once, and none that was told otherwise is. One column takes another's place in each, since the protocol
// has no requirement for properties.
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import type { TableCommit } from "../../src/iceberg/commit.ts";
import { LAST_ADDED } from "../../src/iceberg/table-update.ts";
import { type JsonMap, mapsOf, numberOf } from "../fakes/rest-json.ts";
import type { RestOptions } from "../fakes/rest.ts";
import { IS_LONG } from "../long.ts";
import { ORDERS, openRest, startRestLake, type TestRest } from "./rest-support.ts";

const LOCATION = "s3://lake/wh/sales/orders";
const OUR_WRITERS = 4;
const FOREIGN_WRITERS = 2;
const COMMITS_EACH = IS_LONG ? 10 : 4;
const ATTEMPT = "floeplan.applied.attempt";

let rest: TestRest;

const start = async (options: Partial<RestOptions> = {}): Promise<void> => {
  rest = await startRestLake({ keyLifetime: "PT1M", ...options });
  rest.tables.namespace("sales");
  const table = { identifier: ORDERS, location: LOCATION };
  // No entry of the log falls out, so that it counts the commits.
  const properties = { "write.metadata.previous-versions-max": "1000" };
  done(await (await openRest(rest)).createTable(table, newTableCommit(LOCATION, properties)));
};
beforeEach(async () => await start());
afterEach(async () => await rest.stop());

const pause = async (): Promise<void> => await new Promise((resume) => setTimeout(resume, Math.random() * 30));

/** The last column and its schema go, so that the table stays as small as it is. */
function columnInstead(live: LiveTable, updates: TableCommit["updates"], attempt: string): TableCommit {
  const { currentSchemaId, lastColumnId } = live.metadata;
  const [id, { fields }] = [lastColumnId + 1, currentSchema(live.metadata)];
  const field = { id, name: `ours_${id}`, required: false, type: { kind: "string" } } as const;
  const schema = { schemaId: 0, identifierFieldIds: [], fields: [...fields.slice(0, 3), field] };
  const commit = commitOn(
    live,
    [
      { action: "add-schema", schema, lastColumnId: id },
      { action: "set-current-schema", schemaId: LAST_ADDED },
      { action: "remove-schemas", schemaIds: [currentSchemaId] },
      ...updates,
    ],
    [
      { type: "assert-current-schema-id", currentSchemaId },
      { type: "assert-last-assigned-field-id", lastAssignedFieldId: lastColumnId },
    ],
  );
  return { ...commit, attempt };
}

/** As the product does: reads, builds, commits, and reads again after a conflict. What was told as done is in the list. */
async function writeOurs(writer: number, told: string[]): Promise<void> {
  const catalog = await openRest(rest);
  for (let round = 1; round <= COMMITS_EACH; ) {
    const live = await catalog.loadTable(ORDERS);
    if (live === null) throw new Error("The table is gone");
    const count = Number(live.metadata.properties["count"] ?? "0");
    const attempt = crypto.randomUUID();
    const updates = [
      setProperty(`ours-${writer}`, String(round)),
      setProperty("count", String(count + 1)),
      setProperty(ATTEMPT, attempt),
    ];
    const outcome = await catalog.commit(live, columnInstead(live, updates, attempt));
    if (outcome.state === "done") {
      round++;
      told.push(attempt);
    } else if (outcome.state === "conflict") await pause();
    else throw new Error(`${outcome.state}: ${outcome.why}`);
  }
}

/** As an engine does, by plain requests and the server's own documents. */
async function writeForeign(writer: number): Promise<void> {
  const url = `${rest.url}/v1/namespaces/sales/tables/orders`;
  for (let round = 1; round <= COMMITS_EACH; ) {
    const { metadata } = (await (await fetch(url)).json()) as { metadata: JsonMap };
    const [schemas, id] = [mapsOf(metadata["schemas"]), numberOf(metadata["last-column-id"]) + 1];
    const schema = schemas.find((one) => one["schema-id"] === metadata["current-schema-id"]);
    const { count = "0" } = metadata["properties"] as Record<string, string>;
    const field = { id, name: `foreign_${id}`, required: false, type: "long" };
    const body = {
      requirements: [
        { type: "assert-current-schema-id", "current-schema-id": metadata["current-schema-id"] },
        { type: "assert-last-assigned-field-id", "last-assigned-field-id": metadata["last-column-id"] },
      ],
      updates: [
        {
          action: "add-schema",
          schema: { ...schema, fields: [...mapsOf(schema?.["fields"]).slice(0, 3), field] },
          "last-column-id": id,
        },
        { action: "set-current-schema", "schema-id": -1 },
        { action: "remove-schemas", "schema-ids": [metadata["current-schema-id"]] },
        { action: "set-properties", updates: { [`foreign-${writer}`]: String(round), count: String(Number(count) + 1) } },
      ],
    };
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (status === 200) round++;
    else if (status === 409) await pause();
    else throw new Error(`The server answers ${status}`);
  }
}

/** Every file of the log is read: which attempts and counts it went through. */
async function expectNothingLost(foreign: number, told: readonly string[]): Promise<void> {
  const live = await (await openRest(rest)).loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  const { metadata } = live;
  const commits = (OUR_WRITERS + foreign) * COMMITS_EACH;
  expect(metadata.properties["count"]).toBe(String(commits));
  expect(metadata.lastColumnId).toBe(3 + commits);
  expect(metadata.metadataLog).toHaveLength(commits);
  for (let writer = 0; writer < OUR_WRITERS; writer++) expect(metadata.properties[`ours-${writer}`]).toBe(String(COMMITS_EACH));
  for (let writer = 0; writer < foreign; writer++) expect(metadata.properties[`foreign-${writer}`]).toBe(String(COMMITS_EACH));
  const states = [...metadata.metadataLog.map(({ metadataFile }) => metadataFile), live.metadataLocation];
  const landed = new Set<string>();
  for (const file of states) {
    const attempt = readMetadata(await rest.store.read(file), file).properties[ATTEMPT];
    if (attempt !== undefined) landed.add(attempt);
  }
  expect([...landed].sort()).toEqual([...told].sort());
  expect(new Set(told).size).toBe(OUR_WRITERS * COMMITS_EACH);
}

const each = async (count: number, write: (writer: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
};

it("loses no commit of writers of ours and others", { timeout: 120_000 }, async () => {
  const told: string[] = [];
  await Promise.all([each(OUR_WRITERS, (writer) => writeOurs(writer, told)), each(FOREIGN_WRITERS, writeForeign)]);
  await expectNothingLost(FOREIGN_WRITERS, told);
});

it.runIf(IS_LONG)("loses no commit while answers get lost, before and after their effect", { timeout: 120_000 }, async () => {
  let commits = 0;
  const every = (step: number, offset: number) => (call: { readonly operation: string }) =>
    call.operation === "CommitTable" && ++commits % step === offset;
  rest.fault({ on: every(7, 0), answer: "drop", effect: "after", times: 9999 });
  rest.fault({ on: every(11, 3), answer: "drop", effect: "before", times: 9999 });
  const told: string[] = [];
  await each(OUR_WRITERS, (writer) => writeOurs(writer, told));
  await expectNothingLost(0, told);
  expect(rest.calls.filter(({ operation, status }) => operation === "CommitTable" && status === 0).length).toBeGreaterThan(
    0.8 * COMMITS_EACH,
  );
});

it("does each commit once where the server knows calls by keys", { timeout: 120_000 }, async () => {
  await rest.stop();
  await start({ keyLifetime: "PT30M" });
  let commits = 0;
  const isBroken = ({ operation }: { readonly operation: string }): boolean => operation === "CommitTable" && ++commits % 4 === 0;
  rest.fault({ on: isBroken, answer: "drop", effect: "after", times: 9999 });
  const told: string[] = [];
  await each(OUR_WRITERS, (writer) => writeOurs(writer, told));
  await expectNothingLost(0, told);
});
