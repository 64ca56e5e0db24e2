// A schema that an apply added ahead of the commit that makes it current, and then did not come to that commit. Steps that
// come to the same schema take it up with the ids that it has; to every other plan it is as if it were not there. Pure.
import { PENDING_PROPERTY } from "../iceberg/commit.ts";
import { parseIdRanges } from "../iceberg/id-ranges.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { highestFieldId, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { Schema } from "../iceberg/type.ts";

export interface PendingSchema {
  readonly schema: Schema;
  /** The ids that it alone has are those above; null where ids were given since, so that it cannot be taken up. */
  readonly aboveId: number | null;
}

/** The schema that waits: it alone has the ids that the table says it brings, and neither is nor was that of any data. */
export function readPending(metadata: TableMetadata): PendingSchema | null {
  const text = metadata.properties[PENDING_PROPERTY];
  const ids = text === undefined ? null : parseIdRanges(text);
  if (ids === null || ids.size === 0) return null;
  const [schema, ...others] = metadata.schemas.filter((one) => indexSchema(one).nodes.some(({ id }) => ids.has(id)));
  if (schema === undefined || others.length > 0 || schema.schemaId === metadata.currentSchemaId) return null;
  if (metadata.snapshots.findLast(({ schemaId }) => schemaId === schema.schemaId) !== undefined) return null;
  const [lowest, highest] = [...ids].reduce(
    ([low, high], id) => [Math.min(low, id), Math.max(high, id)],
    [Number.POSITIVE_INFINITY, 0],
  );
  return { schema, aboveId: highest === highestFieldId(metadata) ? lowest - 1 : null };
}
