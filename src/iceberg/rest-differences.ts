// Holds a table that a catalog answered against the one that a commit should have made, in what the commit touched:
// servers drop what they do not know, and number in their own way. Anything else may be other writers'. Pure.
import { sameSchema } from "./apply/same-schema.ts";
import { sameLocation } from "./location.ts";
import { isNameMapping, NAME_MAPPING_PROPERTY, type NameMapping, parseNameMapping } from "./name-mapping.ts";
import type { PartitionSpec } from "./partition-spec.ts";
import { schemaDifferences } from "./rest-schema-differences.ts";
import type { SnapshotRef } from "./snapshot.ts";
import type { SortOrder } from "./sort-order.ts";
import { currentSchema, defaultSortOrder, defaultSpec, snapshotById, type TableMetadata } from "./table-metadata.ts";
import type { TableUpdate, TableUpdateAction } from "./table-update.ts";

export interface CommitDifferences {
  /** What the table should hold and does not, or the other way round; each a clause. */
  readonly content: readonly string[];
  /** The same content under other ids than predicted; each a clause. */
  readonly ids: readonly string[];
}

type Look = (updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata) => Iterable<Difference>;

interface Difference {
  readonly kind: keyof CommitDifferences;
  readonly text: string;
}

const content = (text: string): Difference => ({ kind: "content", text });
const ids = (text: string): Difference => ({ kind: "ids", text });

/** `wanted` is the table after the updates, or the one before where they were taken back. */
export function commitDifferences(
  updates: readonly TableUpdate[],
  wanted: TableMetadata,
  found: TableMetadata,
): CommitDifferences {
  const all = LOOKS.flatMap((look) => [...look(updates, wanted, found)]);
  const texts = (kind: keyof CommitDifferences): readonly string[] =>
    all.filter((one) => one.kind === kind).map(({ text }) => text);
  return { content: texts("content"), ids: texts("ids") };
}

const LOOKS: readonly Look[] = [
  lookAtTable,
  lookAtSchemas,
  lookAtSpecs,
  lookAtOrders,
  lookAtProperties,
  lookAtSnapshots,
  lookAtRefs,
];

function touches(updates: readonly TableUpdate[], ...actions: readonly TableUpdateAction[]): boolean {
  return updates.some(({ action }) => actions.includes(action));
}

function* lookAtTable(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  if (touches(updates, "upgrade-format-version") && found.formatVersion !== wanted.formatVersion)
    yield content(`the format version is ${found.formatVersion}, not ${wanted.formatVersion}`);
  if (touches(updates, "set-location") && !sameLocation(found.location, wanted.location))
    yield content(`the location is "${found.location}", not "${wanted.location}"`);
}

function* lookAtSchemas(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  const [present, should] = [currentSchema(found), currentSchema(wanted)];
  if (touches(updates, "add-schema", "set-current-schema")) {
    if (!sameSchema(should, present)) yield* schemaDifferences(should, present).map(content);
    else if (present.schemaId !== should.schemaId)
      yield ids(`the current schema has the id ${present.schemaId}, not ${should.schemaId}`);
  }
  for (const { schema } of of(updates, "add-schema")) {
    const added = wanted.schemas.find((one) => sameSchema(one, schema));
    if (added === undefined || added.schemaId === should.schemaId) continue;
    const known = found.schemas.find((one) => sameSchema(one, schema));
    if (known === undefined) yield content(`the schema ${added.schemaId} was not added`);
    else if (known.schemaId !== added.schemaId) yield ids(`the schema ${added.schemaId} has the id ${known.schemaId}`);
  }
  if (touches(updates, "add-schema") && found.lastColumnId < wanted.lastColumnId)
    yield content(`the last assigned field id is ${found.lastColumnId}, below ${wanted.lastColumnId}`);
  for (const id of of(updates, "remove-schemas").flatMap(({ schemaIds }) => schemaIds))
    if (has(found.schemas, id, "schemaId") && !has(wanted.schemas, id, "schemaId"))
      yield content(`the schema ${id} is still there`);
}

function* lookAtSpecs(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  if (touches(updates, "add-spec", "set-default-spec")) {
    const [present, should] = [defaultSpec(found), defaultSpec(wanted)];
    if (specText(present, false) !== specText(should, false))
      yield content(`the default partition spec is (${specText(present, false)}), not (${specText(should, false)})`);
    else if (specText(present, true) !== specText(should, true))
      yield ids(`the partition fields are (${specText(present, true)}), not (${specText(should, true)})`);
    else if (present.specId !== should.specId)
      yield ids(`the default partition spec has the id ${present.specId}, not ${should.specId}`);
  }
  for (const id of of(updates, "remove-partition-specs").flatMap(({ specIds }) => specIds))
    if (has(found.partitionSpecs, id, "specId") && !has(wanted.partitionSpecs, id, "specId"))
      yield content(`the partition spec ${id} is still there`);
}

function* lookAtOrders(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  if (!touches(updates, "add-sort-order", "set-default-sort-order")) return;
  const [present, should] = [defaultSortOrder(found), defaultSortOrder(wanted)];
  if (orderText(present) !== orderText(should))
    yield content(`the default sort order is (${orderText(present)}), not (${orderText(should)})`);
  else if (present.orderId !== should.orderId)
    yield ids(`the default sort order has the id ${present.orderId}, not ${should.orderId}`);
}

function* lookAtProperties(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  const keys = new Set([
    ...of(updates, "set-properties").flatMap((update) => Object.keys(update.updates)),
    ...of(updates, "remove-properties").flatMap(({ removals }) => removals),
  ]);
  for (const key of keys) {
    const [present, should] = [valueOf(found, key), valueOf(wanted, key)];
    if (present === should || (key === NAME_MAPPING_PROPERTY && mapsAlike(present, should))) continue;
    if (present === undefined) yield content(`the property "${key}" is missing`);
    else if (should === undefined) yield content(`the property "${key}" is still there`);
    else yield content(`the property "${key}" has another value`);
  }
}

function* lookAtSnapshots(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  const touched = new Set([
    ...of(updates, "add-snapshot").map(({ snapshot }) => snapshot.snapshotId),
    ...of(updates, "remove-snapshots").flatMap(({ snapshotIds }) => snapshotIds),
  ]);
  for (const id of touched) {
    const [present, should] = [snapshotById(found, id), snapshotById(wanted, id)];
    if (present === undefined || should === undefined) {
      if (present === should) continue;
      yield content(`the snapshot ${id} is ${present === undefined ? "missing" : "still there"}`);
    } else if (present.manifestList !== should.manifestList || present.sequenceNumber !== should.sequenceNumber) {
      yield content(`the snapshot ${id} is another than the one that was sent`);
    } else if (present.schemaId !== should.schemaId || present.firstRowId !== should.firstRowId) {
      yield content(`the snapshot ${id} has lost its schema id or its first row id`);
    }
  }
}

function* lookAtRefs(updates: readonly TableUpdate[], wanted: TableMetadata, found: TableMetadata): Generator<Difference> {
  const names = new Set([
    ...of(updates, "set-snapshot-ref").map(({ refName }) => refName),
    ...of(updates, "remove-snapshot-ref").map(({ refName }) => refName),
  ]);
  for (const name of names) {
    const [present, should] = [refText(found, name), refText(wanted, name)];
    if (present !== should) yield content(`the ref "${name}" is ${present}, not ${should}`);
  }
}

function of<A extends TableUpdateAction>(
  updates: readonly TableUpdate[],
  action: A,
): readonly Extract<TableUpdate, { readonly action: A }>[] {
  return updates.filter((update): update is Extract<TableUpdate, { readonly action: A }> => update.action === action);
}

function has<K extends string>(list: readonly Readonly<Record<K, number>>[], id: number, key: K): boolean {
  return list.some((one) => one[key] === id);
}

function valueOf({ properties }: TableMetadata, key: string): string | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Some catalogs keep the mapping themselves, and write it in their own way. */
function mapsAlike(present: string | undefined, should: string | undefined): boolean {
  const [a, b] = [present, should].map((text) => parseNameMapping(text ?? ""));
  if (a === undefined || b === undefined || !isNameMapping(a) || !isNameMapping(b)) return false;
  return mappingText(a) === mappingText(b);
}

function mappingText(mapping: NameMapping): string {
  const fields = mapping.map(({ fieldId, names, fields: inner }) =>
    JSON.stringify([fieldId ?? null, [...names].sort(), mappingText(inner ?? [])]),
  );
  return fields.sort().join(",");
}

function specText({ fields }: PartitionSpec, withIds: boolean): string {
  const field = ({ sourceIds, transform, name, fieldId }: PartitionSpec["fields"][number]): string =>
    `${transform} of ${sourceIds.join(" and ")} as ${name}${withIds ? ` with the id ${fieldId}` : ""}`;
  return fields.length === 0 ? "unpartitioned" : fields.map(field).join(", ");
}

function orderText({ fields }: SortOrder): string {
  const field = ({ sourceIds, transform, direction, nullOrder }: SortOrder["fields"][number]): string =>
    `${transform} of ${sourceIds.join(" and ")} ${direction} ${nullOrder}`;
  return fields.length === 0 ? "unsorted" : fields.map(field).join(", ");
}

function refText({ refs }: TableMetadata, name: string): string {
  const ref: SnapshotRef | undefined = Object.hasOwn(refs, name) ? refs[name] : undefined;
  if (ref === undefined) return "not there";
  const { type, snapshotId, minSnapshotsToKeep: keep, maxSnapshotAgeMs: age, maxRefAgeMs: refAge } = ref;
  const limits = [keep, age, refAge].some((limit) => limit !== undefined);
  return `a ${type} at ${snapshotId}${limits ? ` kept for ${keep ?? "-"}, ${age ?? "-"}, ${refAge ?? "-"}` : ""}`;
}
