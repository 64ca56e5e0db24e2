// Partition specs in their JSON form, both ways (spec Appendix C "Partition Specs"), keys in Java's order.
// Transforms are text here; what they mean is in transform.ts.
import type { JsonObject, JsonValue } from "./json.ts";
import {
  arrayAt,
  arrayMember,
  corrupt,
  intAt,
  intMember,
  isAbsent,
  join,
  member,
  objectAt,
  stringMember,
} from "./json-fields.ts";
import { NO_PARTITION_FIELD_ID, type PartitionField, type PartitionSpec } from "./partition-spec.ts";

export function readPartitionSpec(value: JsonValue | undefined, path = "spec"): PartitionSpec {
  const object = objectAt(value, path);
  return {
    specId: intMember(object, "spec-id", path),
    fields: readPartitionFields(member(object, "fields"), join(path, "fields")),
  };
}

/** The fields alone, as in v1's `partition-spec` and in the header of a manifest. Fields without ids count from 1000 (old v1 writers). */
export function readPartitionFields(value: JsonValue | undefined, path = "fields"): readonly PartitionField[] {
  const objects = arrayAt(value, path).map((element, index) => objectAt(element, `${path}[${index}]`));
  const withIds = objects.filter((object) => !isAbsent(object, "field-id")).length;
  if (withIds !== 0 && withIds !== objects.length) {
    throw corrupt(
      path,
      `${objects.length - withIds} of ${objects.length} partition fields have no "field-id"; all or none must have one`,
    );
  }
  return objects.map((object, index) => {
    const fieldPath = `${path}[${index}]`;
    return {
      sourceIds: readSourceIds(object, fieldPath),
      fieldId: withIds === 0 ? NO_PARTITION_FIELD_ID + 1 + index : intMember(object, "field-id", fieldPath),
      transform: stringMember(object, "transform", fieldPath),
      name: stringMember(object, "name", fieldPath),
    };
  });
}

/** `source-id`, or v3's `source-ids` of a transform with several arguments. */
export function readSourceIds(object: JsonObject, path: string): readonly number[] {
  if (isAbsent(object, "source-ids")) return [intMember(object, "source-id", path)];
  const ids = arrayMember(object, "source-ids", path).map((id, index) => intAt(id, `${join(path, "source-ids")}[${index}]`));
  if (ids.length === 0) throw corrupt(join(path, "source-ids"), "A transform needs at least one source field");
  return ids;
}

export function writeSourceIds(sourceIds: readonly number[]): JsonObject {
  const [only] = sourceIds;
  return sourceIds.length === 1 && only !== undefined ? { "source-id": only } : { "source-ids": sourceIds };
}

export function writePartitionSpec(spec: PartitionSpec): JsonObject {
  return { "spec-id": spec.specId, fields: writePartitionFields(spec.fields) };
}

export function writePartitionFields(fields: readonly PartitionField[]): readonly JsonObject[] {
  return fields.map((field) => ({
    name: field.name,
    transform: field.transform,
    ...writeSourceIds(field.sourceIds),
    "field-id": field.fieldId,
  }));
}
