// The first metadata file that the fake S3 Tables writes for a table that is made with a schema: written from the Iceberg
// spec, sharing no code with the product. Ids that the request leaves out are given in order.
import { randomUUID } from "node:crypto";

export interface IcebergInput {
  readonly schema?: {
    readonly fields: readonly {
      readonly id?: number;
      readonly name: string;
      readonly type: string;
      readonly required?: boolean;
    }[];
  };
  readonly properties?: Readonly<Record<string, string>>;
}

export function firstMetadata(location: string, { schema, properties = {} }: IcebergInput, nowMs: number): string {
  const fields = (schema?.fields ?? []).map(({ id, name, type, required = false }, index) => ({
    id: id ?? index + 1,
    name,
    required,
    type,
  }));
  return JSON.stringify({
    "format-version": 2,
    "table-uuid": randomUUID(),
    location,
    "last-sequence-number": 0,
    "last-updated-ms": nowMs,
    "last-column-id": Math.max(0, ...fields.map(({ id }) => id)),
    "current-schema-id": 0,
    schemas: [{ type: "struct", "schema-id": 0, fields }],
    "default-spec-id": 0,
    "partition-specs": [{ "spec-id": 0, fields: [] }],
    "last-partition-id": 999,
    "default-sort-order-id": 0,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    properties: { "write.parquet.compression-codec": "zstd", ...properties },
    "current-snapshot-id": -1,
    refs: {},
    snapshots: [],
    statistics: [],
    "partition-statistics": [],
    "snapshot-log": [],
    "metadata-log": [],
  });
}
