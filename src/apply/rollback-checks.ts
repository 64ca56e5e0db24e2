// What stands on top of a conversion and would be lost by going back: rows, branches, changes of columns and layout. Told as
// half a sentence and a way out. Knows no catalog, and nothing of how the way back is committed.
import { branches, defaultSortOrder, schemaById, snapshotById, type TableMetadata } from "../iceberg/table-metadata.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import type { ConversionMemory } from "../plan/base.ts";

export interface NoWayBack {
  readonly why: string;
  readonly mend: string;
}

type Undone = readonly [ConversionMemory, ...ConversionMemory[]];

/** Null while the conversions, which were one commit, are the last thing that happened to rows, columns and layout. */
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
  const { before, after, format } = { before: first.before.refs, after: first.after, format: first.rule.format };
  const left: Readonly<Record<string, bigint>> = { ...before, ...after };
  const old = new Set(Object.values(before));
  const moved = branches(metadata).find(({ name, snapshotId }) => left[name] !== snapshotId && !old.has(snapshotId));
  return moved === undefined
    ? null
    : {
        why: `branch "${moved.name}" has commits on top of the conversion, and their rows would be lost`,
        mend: `Convert the other way instead: declare the old type with \`convert: { from: …${format === undefined ? "" : `, format: ${format}`} }\``,
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

/** Before the schemas are compared: a layout on the new column cannot stand without it. */
const layoutOnTop: Check = (metadata, undone) => {
  const made = new Map(undone.map(({ newId, retired }) => [newId, retired.name]));
  const uses = (sourceIds: readonly number[]): boolean => sourceIds.some((id) => made.has(id));
  const spec = metadata.partitionSpecs.find(({ fields }) =>
    fields.some(({ sourceIds, transform }) => transform !== "void" && uses(sourceIds)),
  );
  const isSorted = defaultSortOrder(metadata).fields.some(({ sourceIds }) => uses(sourceIds));
  if (spec === undefined && !isSorted) return null;
  const what = spec === undefined ? `sort order ${metadata.defaultSortOrderId} is` : `partition spec ${spec.specId} is`;
  return {
    why: `${what} made from ${[...made.values()].map((name) => `"${name}"`).join(", ")} since the conversion`,
    mend: "Convert the other way once the column is out of the table's layout",
  };
};

const columnsOnTop: Check = (metadata, undone) =>
  metadata.currentSchemaId === madeSchemaId(metadata, undone)
    ? null
    : {
        why: "columns were changed on top of the conversion, and these changes would be lost",
        mend: "Put the columns back to what the conversion left, or convert the other way instead",
      };

const CHECKS: readonly Check[] = [commitsOnTop, schemaRemoved, snapshotExpired, layoutOnTop, columnsOnTop];

/** The schema of the conversion's commit: its snapshot names it; without one, it is the first that has the new columns. */
function madeSchemaId(metadata: TableMetadata, [first]: Undone): number | null {
  const [snapshotId] = Object.values(first.after);
  const named = snapshotId === undefined ? undefined : snapshotById(metadata, snapshotId)?.schemaId;
  if (named !== undefined && named !== null) return named;
  const made = metadata.schemas.filter((schema) => indexSchema(schema).byId(first.newId) !== undefined);
  return made.length === 0 ? null : Math.min(...made.map(({ schemaId }) => schemaId));
}
