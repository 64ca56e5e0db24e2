// Schemas, partition specs and sort orders of a metadata document, by the rules for v1 files that have no
// lists yet (spec "Appendix E"). The current one of each must be there; a default spec or sort order over a
// dropped column is left to the planner, which can tell how to mend it.
import type { JsonValue } from "./json.ts";
import { arrayAt, corrupt, intMember, optionalInt } from "./json-fields.ts";
import { NO_PARTITION_FIELD_ID, type PartitionSpec } from "./partition-spec.ts";
import { readPartitionFields, readPartitionSpec } from "./partition-spec-json.ts";
import { readSchema } from "./schema-json.ts";
import { type SortOrder, UNSORTED } from "./sort-order.ts";
import { readSortOrder } from "./sort-order-json.ts";
import type { FormatVersion, TableMetadata } from "./table-metadata.ts";
import type { Schema } from "./type.ts";

/** The spec id of v1's `partition-spec`. */
const V1_SPEC_ID = 0;

/** The parsed members of the file, by key; lists that stay unparsed are not among them. */
export type Sections = Readonly<Record<string, JsonValue>>;

export type Definitions = Pick<
  TableMetadata,
  "schemas" | "currentSchemaId" | "partitionSpecs" | "defaultSpecId" | "lastPartitionId" | "sortOrders" | "defaultSortOrderId"
>;

export function readDefinitions(sections: Sections, formatVersion: FormatVersion): Definitions {
  const specs = readSpecs(sections, formatVersion);
  return {
    ...readSchemas(sections, formatVersion),
    ...specs,
    lastPartitionId: readLastPartitionId(sections, formatVersion, specs.partitionSpecs),
    ...readSortOrders(sections, formatVersion),
  };
}

function readSchemas(sections: Sections, formatVersion: FormatVersion): Pick<Definitions, "schemas" | "currentSchemaId"> {
  if (sections["schemas"] === undefined) {
    requireListUnlessV1("schemas", formatVersion);
    const schema = readSchema(sections["schema"], "schema");
    return { schemas: [schema], currentSchemaId: schema.schemaId };
  }
  const schemas: readonly Schema[] = readList(sections["schemas"], "schemas", readSchema);
  const currentSchemaId = checkIds(
    sections,
    "current-schema-id",
    "schemas",
    schemas.map((schema) => schema.schemaId),
  );
  return { schemas, currentSchemaId };
}

function readSpecs(sections: Sections, formatVersion: FormatVersion): Pick<Definitions, "partitionSpecs" | "defaultSpecId"> {
  if (sections["partition-specs"] === undefined) {
    requireListUnlessV1("partition-specs", formatVersion);
    const fields = readPartitionFields(sections["partition-spec"], "partition-spec");
    return { partitionSpecs: [{ specId: V1_SPEC_ID, fields }], defaultSpecId: V1_SPEC_ID };
  }
  const partitionSpecs: readonly PartitionSpec[] = readList(sections["partition-specs"], "partition-specs", readPartitionSpec);
  const defaultSpecId = checkIds(
    sections,
    "default-spec-id",
    "partition-specs",
    partitionSpecs.map((spec) => spec.specId),
  );
  return { partitionSpecs, defaultSpecId };
}

function readLastPartitionId(sections: Sections, formatVersion: FormatVersion, specs: readonly PartitionSpec[]): number {
  const id = optionalInt(sections, "last-partition-id", "");
  if (id !== null) return id;
  requireListUnlessV1("last-partition-id", formatVersion);
  return specs.flatMap((spec) => spec.fields).reduce((highest, field) => Math.max(highest, field.fieldId), NO_PARTITION_FIELD_ID);
}

function readSortOrders(
  sections: Sections,
  formatVersion: FormatVersion,
): Pick<Definitions, "sortOrders" | "defaultSortOrderId"> {
  if (sections["sort-orders"] === undefined) {
    requireListUnlessV1("sort-orders", formatVersion);
    return { sortOrders: [UNSORTED], defaultSortOrderId: UNSORTED.orderId };
  }
  const sortOrders: readonly SortOrder[] = readList(sections["sort-orders"], "sort-orders", readSortOrder);
  const defaultSortOrderId = checkIds(
    sections,
    "default-sort-order-id",
    "sort-orders",
    sortOrders.map((order) => order.orderId),
  );
  return { sortOrders, defaultSortOrderId };
}

function readList<T>(value: JsonValue | undefined, key: string, read: (value: JsonValue, path: string) => T): readonly T[] {
  return arrayAt(value, key).map((element, index) => read(element, `${key}[${index}]`));
}

function requireListUnlessV1(key: string, formatVersion: FormatVersion): void {
  if (formatVersion > 1) throw corrupt(key, `It is missing; format version ${formatVersion} requires it`);
}

/** The id under `key`, which must be one of the list's; none of these may stand twice. */
function checkIds(sections: Sections, key: string, list: string, ids: readonly number[]): number {
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw corrupt(list, `The id ${twin} stands twice`);
  const id = intMember(sections, key, "");
  if (!ids.includes(id))
    throw corrupt(key, `"${list}" does not hold ${id}; it holds ${ids.length === 0 ? "nothing" : ids.join(", ")}`);
  return id;
}
