// What stands on top of a conversion and would be lost by going back: rows, branches, a layout on the new column. Told as half
// a sentence and a way out. Knows no catalog, and nothing of how the way back is committed.
import {
  branches,
  currentSchema,
  defaultSortOrder,
  schemaById,
  snapshotById,
  type TableMetadata,
} from "../iceberg/table-metadata.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import type { Undone } from "./rollback-schema.ts";

export interface NoWayBack {
  readonly why: string;
  readonly mend: string;
}

/** Null while the conversions, which were one commit, are the last thing that happened to rows, and nothing hangs on the new columns. */
export function whyNoWayBack(metadata: TableMetadata, undone: Undone): NoWayBack | null {
  for (const check of CHECKS) {
    const found = check(metadata, undone);
    if (found !== null) return found;
  }
  return null;
}

type Check = (metadata: TableMetadata, undone: Undone) => NoWayBack | null;

/** Each branch is where the conversion left it, or at a state of before it. */
const commitsOnTop: Check = (metadata, [first]) => {
  const left: Readonly<Record<string, bigint>> = { ...first.before.refs, ...first.after };
  const old = new Set(Object.values(first.before.refs));
  const moved = branches(metadata).find(({ name, snapshotId }) => left[name] !== snapshotId && !old.has(snapshotId));
  const format = first.rule.format === undefined ? "" : `, format: ${first.rule.format}`;
  return moved === undefined
    ? null
    : {
        why: `branch "${moved.name}" has commits on top of the conversion, and their rows would be lost`,
        mend: `Convert the other way instead: declare the old type with \`convert: { from: …${format} }\``,
      };
};

const schemaRemoved: Check = (metadata, [first]) =>
  schemaById(metadata, first.before.schemaId) === undefined
    ? {
        why: `schema ${first.before.schemaId}, the one before the conversion, was removed from the metadata`,
        mend: "Convert the other way instead",
      }
    : null;

const snapshotExpired: Check = (metadata, [first]) => {
  const gone = Object.entries(first.before.refs).find(([, id]) => snapshotById(metadata, id) === undefined);
  return gone === undefined
    ? null
    : {
        why: `snapshot ${gone[1]}, the state of branch "${gone[0]}" before the conversion, has expired`,
        mend: "Convert the other way instead",
      };
};

/** A layout, or an identifier, on the new column cannot stand without it. */
const layoutOnTop: Check = (metadata, undone) => {
  const made = new Map(undone.map(({ newId, retired }) => [newId, retired.name]));
  const uses = (sourceIds: readonly number[]): boolean => sourceIds.some((id) => made.has(id));
  const spec = metadata.partitionSpecs.find(({ fields }) =>
    fields.some(({ sourceIds, transform }) => transform !== "void" && uses(sourceIds)),
  );
  const isSorted = defaultSortOrder(metadata).fields.some(({ sourceIds }) => uses(sourceIds));
  const isIdentifier = uses(currentSchema(metadata).identifierFieldIds);
  if (spec === undefined && !isSorted && !isIdentifier) return null;
  const what =
    spec !== undefined
      ? `partition spec ${spec.specId} is`
      : isSorted
        ? `sort order ${metadata.defaultSortOrderId} is`
        : "the identifier is";
  return {
    why: `${what} made from ${[...made.values()].map((name) => `"${name}"`).join(", ")} since the conversion`,
    mend: "Convert the other way once the column is out of the table's layout",
  };
};

const columnGone: Check = (metadata, undone) => {
  const index = indexSchema(currentSchema(metadata));
  const gone = undone.find(({ newId }) => index.byId(newId) === undefined);
  return gone === undefined
    ? null
    : {
        why: `"${gone.retired.name}" (id ${gone.newId}) was dropped since the conversion`,
        mend: "Nothing is left to go back to; a column under that name is a new one",
      };
};

const CHECKS: readonly Check[] = [commitsOnTop, schemaRemoved, snapshotExpired, layoutOnTop, columnGone];
