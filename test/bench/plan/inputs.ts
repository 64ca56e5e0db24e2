// What the bench of planning works on: metadata files of any size, projects and warehouses of any number of tables, wide
// tables with deep nesting as declarations. The same bytes for the same numbers.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const COLUMNS = 200;
const SCHEMAS = 300;
const SNAPSHOT_BYTES = 820;

/** A table with a long history: hundreds of schemas, and snapshots until the file has so many bytes. */
export function writeBigMetadata(path: string, bytes: number): void {
  const file = openSync(path, "w");
  const snapshots = Math.max(1, Math.round((bytes - SCHEMAS * COLUMNS * 85) / SNAPSHOT_BYTES));
  const say = (text: string): void => void writeSync(file, text);
  const list = (count: number, item: (index: number) => string): void => {
    for (let from = 0; from < count; from += 1000) {
      const items = Array.from({ length: Math.min(1000, count - from) }, (_, index) => item(from + index));
      say((from === 0 ? "" : ",") + items.join(","));
    }
  };
  const last = snapshotId(snapshots - 1);
  say(
    `{"format-version":2,"table-uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1","location":"/wh/ns/t","last-sequence-number":${snapshots},` +
      `"last-updated-ms":${timeOf(snapshots)},"last-column-id":${COLUMNS},"current-schema-id":${SCHEMAS - 1},"schemas":[`,
  );
  list(SCHEMAS, (id) => `{"type":"struct","schema-id":${id},"fields":[${fieldsOf(id)}]}`);
  say(
    '],"default-spec-id":0,"partition-specs":[{"spec-id":0,"fields":[]}],"last-partition-id":999,"default-sort-order-id":0,' +
      `"sort-orders":[{"order-id":0,"fields":[]}],"properties":{"owner":"bench"},"current-snapshot-id":${last},` +
      `"refs":{"main":{"snapshot-id":${last},"type":"branch"}},"snapshots":[`,
  );
  list(snapshots, snapshotText);
  say('],"snapshot-log":[');
  list(snapshots, (index) => `{"timestamp-ms":${timeOf(index)},"snapshot-id":${snapshotId(index)}}`);
  say('],"metadata-log":[');
  list(100, (index) => `{"timestamp-ms":${timeOf(index)},"metadata-file":"/wh/ns/t/metadata/v${index + 1}.metadata.json"}`);
  say("]}");
  closeSync(file);
}

function fieldsOf(schemaId: number): string {
  return Array.from({ length: COLUMNS }, (_, index) => {
    const doc = index === schemaId % COLUMNS ? `,"doc":"changed in ${schemaId}"` : "";
    return `{"id":${index + 1},"name":"column_${index + 1}","required":false,"type":"string"${doc}}`;
  }).join(",");
}

function snapshotId(index: number): bigint {
  return 3_051_729_675_574_597_004n + BigInt(index);
}

function timeOf(index: number): number {
  return 1_600_000_000_000 + index * 1000;
}

function snapshotText(index: number): string {
  const parent = index === 0 ? "" : `"parent-snapshot-id":${snapshotId(index - 1)},`;
  const counts = ["added-data-files", "added-records", "added-files-size", "changed-partition-count", "total-records"];
  const more = ["total-files-size", "total-data-files", "total-delete-files", "total-position-deletes", "total-equality-deletes"];
  const summary = [...counts, ...more].map((key, place) => `"${key}":"${index * 1000 + place}"`).join(",");
  return (
    `{"sequence-number":${index + 1},"snapshot-id":${snapshotId(index)},${parent}"timestamp-ms":${timeOf(index)},` +
    `"summary":{"operation":"append","spark.app.id":"application_1690000000000_${index}",${summary},"engine-name":"spark","engine-version":"3.5.1"},` +
    `"manifest-list":"s3://bucket/warehouse/ns/t/metadata/snap-${snapshotId(index)}-1-9c12d441-03fe-4693-9a96-a0705ddf69c1.avro","schema-id":${index % SCHEMAS}}`
  );
}

/** The table of the metadata file, and one column more. */
export function bigDeclaration(): string {
  const columns = Array.from({ length: COLUMNS }, (_, index) => `  - { name: column_${index + 1}, type: string }`);
  return `table: ns.t\ncolumns:\n${columns.join("\n")}\n  - { name: added, type: long, comment: new }\n`;
}

/** So many fields, a fifth of them nested six deep in structs, lists and maps; `edited` changes one in ten in many ways. */
export function wideDeclaration(fields: number, edited: boolean): string {
  const lines: string[] = [];
  const dropped: string[] = [];
  for (let index = 0; index < fields / 10; index++) {
    const isEven = index % 2 === 0;
    const renamed = edited && index % 5 === 1;
    const name = renamed ? `renamed_${index}` : `group_${index}`;
    const widened = edited && index % 5 === 2 ? "long" : "int";
    const comment = edited && index % 5 === 3 ? ", comment: changed" : "";
    lines.push(
      `  - name: ${name}`,
      ...(renamed ? [`    renamed-from: [ group_${index} ]`] : []),
      "    type: struct",
      "    fields:",
    );
    lines.push(`      - { name: a, type: ${widened} }`, `      - { name: b, type: string${comment} }`);
    if (edited && index % 5 === 4) dropped.push(`group_${index}.c`);
    else lines.push("      - { name: c, type: double }");
    if (edited && index % 5 === 0) lines.push("      - { name: added, type: date }");
    lines.push(isEven ? "      - name: d\n        type: list<struct>" : "      - name: d\n        type: map<string, struct>");
    lines.push(
      "        fields:",
      "          - name: e",
      "            type: struct",
      "            fields:",
      `              - { name: f, type: ${widened} }`,
      "              - name: g",
      "                type: struct",
      `                fields: [ { name: h, type: string } ]`,
    );
  }
  const drops = dropped.map((field) => `  - { field: ${field}, reason: bench }`);
  return `table: ns.t\ncolumns:\n${lines.join("\n")}\n${drops.length === 0 ? "" : `dropped:\n${drops.join("\n")}\n`}`;
}

/** So many columns side by side; `edited` renames, adds, moves and drops one in ten each. */
export function flatDeclaration(fields: number, edited: boolean): string {
  const lines: string[] = [];
  const moved: string[] = [];
  const dropped: string[] = [];
  for (let index = 0; index < fields; index++) {
    const kind = edited ? index % 10 : -1;
    const column = `  - { name: column_${index}, type: ${index % 2 === 0 ? "int" : "string"} }`;
    if (kind === 1) lines.push(`  - { name: renamed_${index}, type: string, renamed-from: [ column_${index} ] }`);
    else if (kind === 3) moved.push(column);
    else if (kind === 5) dropped.push(`  - { field: column_${index}, reason: bench }`);
    else lines.push(column);
    if (kind === 7) lines.push(`  - { name: added_${index}, type: date }`);
  }
  const columns = [...moved.reverse(), ...lines].join("\n");
  return `table: ns.t\ncolumns:\n${columns}\n${dropped.length === 0 ? "" : `dropped:\n${dropped.join("\n")}\n`}`;
}

/** A project of so many tables of twenty columns; with `warehouse`, each is there and lacks one column. */
export function writeProject(folder: string, tables: number, withWarehouse: boolean): void {
  const warehouse = join(folder, "warehouse");
  mkdirSync(join(folder, "tables"), { recursive: true });
  mkdirSync(warehouse, { recursive: true });
  writeFileSync(
    join(folder, "floeplan.yaml"),
    `floeplan: 1\ntables: [ "tables/*.yaml" ]\nenvironments:\n  bench: { catalogs: { lake: { type: local, warehouse: ${JSON.stringify(warehouse)} } } }\n`,
  );
  for (let index = 0; index < tables; index++) {
    const columns = Array.from(
      { length: 19 },
      (_, at) => `  - { name: column_${at + 1}, type: string, comment: "number ${at}" }`,
    );
    writeFileSync(
      join(folder, "tables", `t${index}.yaml`),
      `table: ns.t${index}\ncolumns:\n${columns.join("\n")}\n  - { name: added, type: long }\npartition-by: [ "bucket(16, column_1)" ]\n`,
    );
    if (withWarehouse) writeTable(join(warehouse, "ns", `t${index}`));
  }
}

function writeTable(folder: string): void {
  const metadata = join(folder, "metadata");
  mkdirSync(metadata, { recursive: true });
  const fields = Array.from(
    { length: 19 },
    (_, at) => `{"id":${at + 1},"name":"column_${at + 1}","required":false,"type":"string","doc":"number ${at}"}`,
  );
  writeFileSync(
    join(metadata, "v1.metadata.json"),
    `{"format-version":2,"table-uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1","location":${JSON.stringify(folder)},"last-sequence-number":0,` +
      `"last-updated-ms":${timeOf(0)},"last-column-id":19,"current-schema-id":0,"schemas":[{"type":"struct","schema-id":0,"fields":[${fields.join(",")}]}],` +
      '"default-spec-id":0,"partition-specs":[{"spec-id":0,"fields":[{"source-id":1,"field-id":1000,"transform":"bucket[16]","name":"column_1_bucket_16"}]}],' +
      '"last-partition-id":1000,"default-sort-order-id":0,"sort-orders":[{"order-id":0,"fields":[]}],"properties":{},"current-snapshot-id":-1,"snapshots":[]}',
  );
  writeFileSync(join(metadata, "version-hint.text"), "1");
}
