// Where a converted file goes: beside its source when the source lies below the table, else below the table's
// data folder. Its name follows from what it is made of, so that a run that was killed finds it again and two
// different results never share a name.
import { createHash } from "node:crypto";
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import type { JsonObject } from "../iceberg/json.ts";
import { canonicalJson } from "../iceberg/json-write.ts";
import { isWithin, joinLocation, locationKey, parentLocation } from "../iceberg/location.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { formatType } from "../iceberg/type-text.ts";
import { ENCODER_VERSION } from "../parquet/rewrite-file.ts";

export function outputLocation(metadata: TableMetadata, source: string, conversions: readonly ColumnConversion[]): string {
  return joinLocation(outputFolder(metadata, source), `${outputName(metadata, source, conversions)}.parquet`);
}

function outputFolder(metadata: TableMetadata, source: string): string {
  const dataFolder = metadata.properties["write.data.path"] ?? joinLocation(metadata.location, "data");
  const folder = parentLocation(source);
  if (folder !== null && [dataFolder, metadata.location].some((root) => isWithin(root, folder))) return folder;
  return dataFolder;
}

function outputName(metadata: TableMetadata, source: string, conversions: readonly ColumnConversion[]): string {
  const identity: JsonObject = {
    table: metadata.tableUuid,
    source: locationKey(source),
    encoder: ENCODER_VERSION,
    columns: conversions.map(({ fieldId, newId, to, rule }) => ({
      fieldId,
      newId,
      to: formatType(to),
      rule: { ...rule } as unknown as JsonObject,
    })),
  };
  const hex = createHash("sha256").update(canonicalJson(identity)).digest("hex");
  return `floeplan-${hex.slice(0, 32)}`;
}
