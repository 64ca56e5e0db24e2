// The single operations of the conformance file, as calls of the update modules.
import { type EvolutionError, isEvolutionError } from "../src/iceberg/evolution-error.ts";
import type { JsonObject, JsonValue } from "../src/iceberg/json.ts";
import type { NamedPartitionSpecUpdate } from "../src/iceberg/partition-spec-update-by-name.ts";
import { readSchema, readType } from "../src/iceberg/schema-json.ts";
import type { NamedSchemaUpdate } from "../src/iceberg/schema-update-by-name.ts";
import type { NewSortField } from "../src/iceberg/sort-order-update.ts";
import { parseTransform } from "../src/iceberg/transform.ts";
import { isPrimitive, type PrimitiveType } from "../src/iceberg/type.ts";
import { unionByName, type UnionOptions } from "../src/iceberg/union-by-name.ts";
import { listOf, objectOf, optionalText, show, textItem, textOf } from "./conformance-json.ts";

export function changeColumn(update: NamedSchemaUpdate, operation: JsonObject, options: UnionOptions): EvolutionError | null {
  const column = optionalText(operation, "column") ?? "";
  switch (textOf(operation, "op")) {
    case "add": {
      const { parent, default: value } = operation;
      const doc = optionalText(operation, "doc");
      const id = update.addColumn({
        name: textOf(operation, "name"),
        type: readType(operation["type"]),
        required: operation["required"] === true,
        ...(parent === undefined ? {} : { parent: parent === null ? null : textOf(operation, "parent") }),
        ...(doc === undefined ? {} : { doc }),
        ...(value === undefined ? {} : { default: value }),
      });
      return isEvolutionError(id) ? id : null;
    }
    case "drop":
      return update.dropColumn(column);
    case "rename":
      return update.renameColumn(column, textOf(operation, "to"));
    case "move": {
      const [after, before] = [optionalText(operation, "after"), optionalText(operation, "before")];
      const place = after === undefined ? (before === undefined ? ("first" as const) : { before }) : { after };
      return update.moveColumn(column, place);
    }
    case "update_type":
      return update.updateColumnType(column, primitiveOf(operation["type"]));
    case "set_required":
      return update.requireColumn(column);
    case "set_optional":
      return update.makeColumnOptional(column);
    case "update_doc":
      return update.updateColumnDoc(column, operation["doc"] === null ? null : textOf(operation, "doc"));
    case "set_default":
      return update.updateColumnDefault(column, operation["default"] ?? null);
    case "set_identifier_fields":
      update.setIdentifierFields(listOf(operation, "columns").map(textItem));
      return null;
    case "union_by_name":
      return unionByName(update.ids, readSchema(operation["schema"]), options);
    case "allow_incompatible":
      update.ids.allowIncompatible();
      return null;
    case "case_insensitive":
      update.ignoreCase();
      return null;
    default:
      throw new Error(`Unknown operation ${show(operation)}`);
  }
}

export function changePartitionField(update: NamedPartitionSpecUpdate, operation: JsonObject): EvolutionError | null {
  const name = optionalText(operation, "name");
  const source = optionalText(operation, "source") ?? "";
  const transform = parseTransform(optionalText(operation, "transform") ?? "");
  switch (textOf(operation, "op")) {
    case "add_partition_field": {
      const id = update.addField(source, transform, name);
      return isEvolutionError(id) ? id : null;
    }
    case "remove_partition_field":
      return name === undefined ? update.removeFieldOf(source, transform) : update.removeField(name);
    case "rename_partition_field":
      return update.renameField(textOf(operation, "name"), textOf(operation, "to"));
    case "spec_case_insensitive":
      update.ignoreCase();
      return null;
    default:
      throw new Error(`Unknown operation ${show(operation)}`);
  }
}

export function sortField(value: JsonValue): NewSortField {
  const field = objectOf(value);
  return {
    source: textOf(field, "source"),
    transform: parseTransform(textOf(field, "transform")),
    direction: field["direction"] === "desc" ? "desc" : "asc",
    nullOrder: field["null_order"] === "nulls-first" || field["null_order"] === "nulls-last" ? field["null_order"] : null,
  };
}

function primitiveOf(value: JsonValue | undefined): PrimitiveType {
  const type = readType(value);
  if (!isPrimitive(type)) throw new Error(`${show(value)} is no primitive type`);
  return type;
}
