// Bytes and rows around a commit: sections of the metadata document and column chunks that were not touched are the same
// bytes (I9), and every branch and tag shows the rows that were written, whatever happened to names and types (I10).
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { currentSchema, schemaById, snapshotById } from "../../src/iceberg/table-metadata.ts";
import { columnsOf, type ModelColumn } from "./declaration.ts";
import { convertedIds } from "./invariants-landing.ts";
import { idsByName } from "./invariants-table.ts";
import { membersOf, squeezed } from "./json-members.ts";
import type { Value } from "./parquet-file.ts";
import type { Landing } from "./product.ts";
import { leavesOfSchema, readBranch, shown, untouchedBytes } from "./read-rows.ts";
import { ensure } from "./tally.ts";
import type { ModelFile, World } from "./world.ts";

/** I9 of the document: what means the same is written the same. */
export async function i9KeepsSections(world: World, { before, after }: Landing): Promise<void> {
  if (before === null || world.lake.catalog.capabilities.serverWritesMetadata) return;
  const read = async ({ metadataLocation }: LiveTable): Promise<ReadonlyMap<string, string>> =>
    membersOf(new TextDecoder().decode(await world.lake.store.read(metadataLocation)));
  const [was, is] = [await read(before), await read(after)];
  for (const [name, text] of was) {
    const now = is.get(name);
    ensure(now !== undefined, "I9", () => `the section "${name}" is gone`);
    if (now === undefined || squeezed(now) !== squeezed(text)) continue;
    ensure(now === text, "I9", () => `the section "${name}" was written anew: ${now.slice(0, 200)}`);
    world.tally.add("I9 sections of metadata kept byte for byte");
    if (text !== squeezed(text)) world.tally.add("I9 sections of another hand kept byte for byte");
  }
}

/** I9 of the data: the chunks of all other columns are copied as they are. */
export async function i9KeepsChunks(world: World, { run, before, after }: Landing): Promise<void> {
  const retired = before === null ? [] : convertedIds(world, run, after.metadata);
  if (before === null || retired.length === 0) return;
  const now = idsByName(after.metadata, run.declared);
  const made = columnsOf(run.declared).flatMap(({ column: { key } }) =>
    retired.includes(world.idOf.get(key) ?? -1) ? [now.get(key) ?? -1] : [],
  );
  const except = new Set([...retired, ...made]);
  const chunks = async ({ metadata }: LiveTable): Promise<string[]> => {
    const files = await readBranch(world.lake.store, metadata, metadata.refs["main"]?.snapshotId);
    const bytes = await Promise.all(files.map(({ location }) => world.lake.store.read(location)));
    return bytes.map((one) => untouchedBytes(one, except)).sort();
  };
  const [was, is] = [await chunks(before), await chunks(after)];
  ensure(was.join("\n\n") === is.join("\n\n"), "I9", () => "column chunks changed that no conversion touches");
  world.tally.add("I9 data files whose other columns kept their bytes", was.length);
}

/** I10: each branch under the table's schema, each tag under its snapshot's. */
export async function i10ShowsTheRows(world: World, { metadata, metadataLocation }: LiveTable): Promise<void> {
  if (world.readAt === metadataLocation) return;
  world.readAt = metadataLocation;
  for (const [name, snapshotId] of world.refs) {
    ensure(
      metadata.refs[name]?.snapshotId === snapshotId,
      "I8",
      () => `ref "${name}" is at ${metadata.refs[name]?.snapshotId}, not at ${snapshotId}`,
    );
    const ref = metadata.refs[name];
    const schemaId = ref?.type === "tag" ? snapshotById(metadata, snapshotId)?.schemaId : null;
    const schema =
      (schemaId === null || schemaId === undefined ? undefined : schemaById(metadata, schemaId)) ?? currentSchema(metadata);
    const seen = await readBranch(world.lake.store, metadata, snapshotId);
    const files = world.snapshots.get(snapshotId) ?? [];
    const [got, wanted] = [seen.flatMap(({ rows }) => rows), files.flatMap(({ rows }) => rows)];
    const [is, shall] = [shown(got, schema), shown(wanted, schema)];
    ensure(is.join("\n") === shall.join("\n"), "I10", () => `"${name}" shows ${is.join()} for ${shall.join()}`);
    for (const { rows, nulls, records, location } of seen) {
      ensure(
        records === BigInt(rows.length),
        "I10",
        () => `the manifest counts ${records} rows of ${rows.length} in ${location}`,
      );
      for (const [id, count] of nulls ?? []) {
        const found = BigInt(rows.filter((row) => (row.get(id) ?? null) === null).length);
        const isThere = rows[0]?.has(id) === true;
        ensure(
          !isThere || found === count,
          "I10",
          () => `the manifest counts ${count} nulls of id ${id}, and ${found} are in ${location}`,
        );
      }
    }
    world.tally.add("I10 reads of a branch or tag");
    world.tally.add("I10 rows seen as written", is.length);
  }
}

/** I10: what a commit makes required holds a value in every row of every branch. */
export async function i10RequiresWhatIsThere(world: World, { before, after }: Landing): Promise<void> {
  if (before === null) return;
  const were = new Map(leavesOfSchema(currentSchema(before.metadata)).map(({ id, required }) => [id, required]));
  const made = leavesOfSchema(currentSchema(after.metadata)).filter(({ id, required }) => required && were.get(id) === false);
  for (const [name, { snapshotId, type }] of made.length === 0 ? [] : Object.entries(after.metadata.refs)) {
    if (type !== "branch") continue;
    const rows = (await readBranch(world.lake.store, after.metadata, snapshotId)).flatMap((file) => file.rows);
    for (const { id } of made) {
      ensure(
        rows.every((row) => (row.get(id) ?? null) !== null),
        "I10",
        () => `id ${id} was made required, and "${name}" holds null`,
      );
      world.tally.add("I10 columns made required");
    }
  }
}

/** The rows of the files after the conversions of a commit, by rules of this file's own. */
export function convertedFiles(world: World, { run, after }: Landing, files: readonly ModelFile[]): readonly ModelFile[] {
  const now = idsByName(after.metadata, run.declared);
  const rules = columnsOf(run.declared).flatMap(({ column }) => {
    const [from, to] = [world.idOf.get(column.key), now.get(column.key)];
    return from !== undefined && to !== undefined && from !== to && column.convert !== null ? [{ column, from, to }] : [];
  });
  return files.map(({ rows }) => ({
    rows: rows.map((row) => {
      const next = new Map(row);
      for (const { column, from, to } of rules) {
        if (!row.has(from)) continue;
        next.delete(from);
        next.set(to, converted(row.get(from) ?? null, column));
        world.tally.add("I10 values converted");
      }
      return next;
    }),
  }));
}

function converted(value: Value, { type, convert, name }: ModelColumn): Value {
  if (value === null) return null;
  const date = /^(\d{4})(\d\d)(\d\d)$/.exec(value);
  const result = type.kind === "int" ? value : date === null ? null : date.slice(1).join("-");
  const fits = type.kind === "int" ? /^-?\d+$/.test(value) : date !== null;
  ensure(
    fits || convert?.includes("set-null") === true,
    "I10",
    () => `"${value}" of "${name}" does not convert, and the file says fail`,
  );
  return fits ? result : null;
}
