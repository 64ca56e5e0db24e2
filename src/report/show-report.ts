// One live table as a report: schema with field ids, partitions, sort order, properties, snapshot totals, refs,
// first rows. Decides what is said; how it looks is in formats/.
import { formatInstant } from "../iceberg/iso-time.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { writePartitionFields } from "../iceberg/partition-spec-json.ts";
import { fieldPath, indexSchema } from "../iceberg/schema-index.ts";
import { writeSchema } from "../iceberg/schema-json.ts";
import { currentSchema, currentSnapshot, defaultSortOrder, defaultSpec, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { Schema } from "../iceberg/type.ts";
import { formatType } from "../iceberg/type-text.ts";
import { IMPORTANCE, type LeafBlock, type Report, type Section, type TableBlock } from "./report.ts";
import type { SampleRows } from "./sample-rows.ts";
import { counted, prose, text, type Text } from "./text.ts";

export interface ShowParts {
  /** What a person calls the catalog. */
  readonly label: string;
  /** Null where no rows were asked for. */
  readonly sample: SampleRows | null;
  /** What floeplan remembers in the table, a line each. */
  readonly memory: readonly string[];
  /** Keys that `memory` tells in words. */
  readonly isMemory: (key: string) => boolean;
}

export function showReport(live: LiveTable, parts: ShowParts): Report {
  const { label, sample, memory } = parts;
  const { metadata, identifier } = live;
  const name = [...identifier.namespace, identifier.name].join(".");
  const schema = currentSchema(metadata);
  const headline = text`${name}, format version ${metadata.formatVersion}, in ${label}`;
  return {
    tone: "quiet",
    headline,
    alerts: [],
    overview: null,
    sections: [
      section(headline, [
        paragraph(text`metadata ${live.metadataLocation}`),
        paragraph(text`uuid ${metadata.tableUuid ?? "none"}`),
        schemaTable(schema),
      ]),
      section(prose("Layout"), layoutBlocks(metadata, schema)),
      section(prose("Properties"), propertyBlocks(metadata, parts)),
      ...(memory.length === 0
        ? []
        : [
            section(
              prose("Memory of floeplan"),
              memory.map((line) => paragraph(text`${line}`)),
            ),
          ]),
      section(prose("Data"), dataBlocks(metadata)),
      ...(sample === null ? [] : [section(prose("First rows"), rowBlocks(sample))]),
    ],
    summary: prose(`${counted(schema.fields.length, "column")}, ${counted(metadata.snapshots.length, "snapshot")}.`),
    next: null,
    json: showJson(live, sample),
  };
}

function section(title: Text, blocks: readonly LeafBlock[]): Section {
  return { importance: IMPORTANCE.metadata, tone: "quiet", context: null, title, state: null, file: null, brief: title, blocks };
}

function paragraph(line: Text): LeafBlock {
  return { kind: "paragraph", text: line };
}

function schemaTable(schema: Schema): TableBlock {
  const identifier = new Set(schema.identifierFieldIds);
  return {
    kind: "table",
    columns: [
      { title: "id", align: "right" },
      { title: "field", align: "left" },
      { title: "type", align: "left" },
      { title: "", align: "left" },
      { title: "comment", align: "left" },
    ],
    rows: indexSchema(schema).nodes.map((node) => {
      const type =
        node.type.kind === "struct" || node.type.kind === "list" || node.type.kind === "map"
          ? node.type.kind
          : formatType(node.type);
      const marks = [node.required ? "required" : "", identifier.has(node.id) ? "identifier" : ""]
        .filter((mark) => mark !== "")
        .join(", ");
      return {
        importance: IMPORTANCE.metadata,
        cells: [
          prose(String(node.id)),
          text`${fieldPath(schema, node.id) ?? node.name}`,
          text`${type}`,
          prose(marks),
          node.field?.doc === undefined ? prose("") : text`${node.field.doc}`,
        ],
      };
    }),
  };
}

function layoutBlocks(metadata: TableMetadata, schema: Schema): LeafBlock[] {
  const spec = defaultSpec(metadata);
  const order = defaultSortOrder(metadata);
  const source = (ids: readonly number[]): string => ids.map((id) => fieldPath(schema, id) ?? `id ${id}`).join(", ");
  const partitions = spec.fields.map(
    (field) => `${field.name} = ${field.transform}(${source(field.sourceIds)}), id ${field.fieldId}`,
  );
  const sorts = order.fields.map(
    (field) => `${field.transform}(${source(field.sourceIds)}) ${field.direction} ${field.nullOrder}`,
  );
  return [
    paragraph(
      partitions.length === 0
        ? text`unpartitioned (spec ${spec.specId})`
        : text`partitioned by ${partitions.join("; ")} (spec ${spec.specId} of ${metadata.partitionSpecs.length})`,
    ),
    paragraph(sorts.length === 0 ? prose("unsorted") : text`sorted by ${sorts.join(", ")} (order ${order.orderId})`),
  ];
}

function propertyBlocks({ properties }: TableMetadata, { isMemory }: ShowParts): LeafBlock[] {
  const keys = Object.keys(properties)
    .filter((key) => !isMemory(key))
    .sort();
  if (keys.length === 0) return [paragraph(prose("none"))];
  return keys.map((key) => paragraph(text`${key} = ${properties[key] ?? ""}`));
}

function dataBlocks(metadata: TableMetadata): LeafBlock[] {
  const snapshot = currentSnapshot(metadata);
  if (snapshot === undefined) return [paragraph(prose("no snapshot: the table is empty"))];
  const { summary } = snapshot;
  const total = (key: string): string => summary[`total-${key}`] ?? "not told";
  const refs = Object.entries(metadata.refs).map(([name, ref]) => `${ref.type} ${name} at ${ref.snapshotId}`);
  return [
    paragraph(
      text`snapshot ${String(snapshot.snapshotId)}, ${summary["operation"] ?? "unnamed operation"}, ${formatInstant(snapshot.timestampMs)}`,
    ),
    paragraph(
      text`rows ${total("records")}, data files ${total("data-files")}, delete files ${total("delete-files")}, bytes ${total("files-size")}`,
    ),
    ...refs.map((ref) => paragraph(text`${ref}`)),
  ];
}

function rowBlocks({ columns, rows, whyNot }: SampleRows): LeafBlock[] {
  if (whyNot !== null) return [paragraph(prose(`rows not shown: ${whyNot}`))];
  if (rows.length === 0) return [paragraph(prose("no rows"))];
  return [
    {
      kind: "table",
      columns: [
        { title: "column", align: "left" },
        ...rows.map((_, index) => ({ title: `row ${index + 1}`, align: "left" as const })),
      ],
      rows: columns.map((column, index) => ({
        importance: IMPORTANCE.note,
        cells: [
          text`${column}`,
          ...rows.map((row) => (row[index] === null || row[index] === undefined ? prose("null") : text`${row[index]}`)),
        ],
      })),
    },
  ];
}

function showJson({ identifier, metadata, metadataLocation }: LiveTable, sample: SampleRows | null): JsonObject {
  const snapshot = currentSnapshot(metadata);
  const order = defaultSortOrder(metadata);
  return {
    identifier: [...identifier.namespace, identifier.name],
    "metadata-location": metadataLocation,
    uuid: metadata.tableUuid,
    "format-version": metadata.formatVersion,
    location: metadata.location,
    schema: writeSchema(currentSchema(metadata)),
    "partition-spec": { "spec-id": metadata.defaultSpecId, fields: writePartitionFields(defaultSpec(metadata).fields) },
    "sort-order": {
      "order-id": order.orderId,
      fields: order.fields.map((field) => ({
        "source-ids": [...field.sourceIds],
        transform: field.transform,
        direction: field.direction,
        "null-order": field.nullOrder,
      })),
    },
    properties: { ...metadata.properties },
    snapshot:
      snapshot === undefined
        ? null
        : { id: String(snapshot.snapshotId), "timestamp-ms": snapshot.timestampMs, summary: { ...snapshot.summary } },
    refs: Object.fromEntries(
      Object.entries(metadata.refs).map(([name, ref]) => [name, { type: ref.type, "snapshot-id": String(ref.snapshotId) }]),
    ),
    rows:
      sample !== null && sample.whyNot === null
        ? sample.rows.map((row) => Object.fromEntries(sample.columns.map((column, index) => [column, row[index] ?? null])))
        : null,
    "rows-not-shown": sample === null ? "none were asked for" : sample.whyNot,
  };
}
