// A table as it is to be written into a new file: like a declaration, without places. Made from a live schema for
// import, or by hand for a single field. Data and conversions of data only; the text is write-yaml.ts's.
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import { formatDefault } from "../iceberg/default-text.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { TransformText } from "../iceberg/partition-spec.ts";
import type { NullOrder, SortDirection } from "../iceberg/sort-order.ts";
import { type Field, isPrimitive, type PrimitiveType, type Type } from "../iceberg/type.ts";

export type WrittenType =
  | PrimitiveType
  | { readonly kind: "struct"; readonly fields: readonly WrittenField[] }
  | { readonly kind: "list"; readonly element: WrittenPart }
  | { readonly kind: "map"; readonly key: WrittenPart; readonly value: WrittenPart };

export interface WrittenPart {
  readonly type: WrittenType;
  readonly required: boolean;
  readonly id?: number;
  readonly convert?: ConversionRule;
}

export interface WrittenField {
  readonly name: string;
  readonly type: WrittenType;
  readonly required: boolean;
  readonly comment?: string;
  /** Source text of the default; null writes `default: null`. */
  readonly default?: string | null;
  readonly renamedFrom?: readonly string[];
  readonly convert?: ConversionRule;
  readonly id?: number | "new";
  readonly meta?: JsonObject;
}

/** A use of a shared group. */
export interface WrittenUse {
  readonly use: string;
}

export interface WrittenPartitionField {
  readonly source: string;
  readonly transform: TransformText;
  readonly name: string | null;
}

export interface WrittenSortField {
  readonly source: string;
  readonly transform: TransformText;
  readonly direction: SortDirection;
  readonly nullOrder: NullOrder;
}

/** What is left out is not written, and so not managed. */
export interface WrittenTable {
  /** Namespace levels and the table's name, last. */
  readonly table: readonly string[];
  readonly catalog?: string;
  readonly comment?: string;
  readonly owner?: string;
  readonly formatVersion?: number;
  readonly location?: string;
  readonly isNew?: boolean;
  readonly remember?: boolean;
  readonly columns: readonly (WrittenField | WrittenUse)[];
  readonly identifierFields?: readonly string[];
  readonly partitionBy?: readonly WrittenPartitionField[];
  readonly sortBy?: readonly WrittenSortField[];
  readonly properties?: ReadonlyMap<string, string | null>;
  readonly glueParameters?: ReadonlyMap<string, string | null>;
  readonly dropped?: readonly { readonly field: string; readonly reason: string }[];
  readonly unmanaged?: readonly string[];
  readonly meta?: JsonObject;
}

/** A live field as a declaration. `initial-default` is history and is not written; the write default is. */
export function writtenField(field: Field, options: { readonly withIds: boolean }): WrittenField {
  const { name, required, doc, writeDefault } = field;
  return {
    name,
    type: writtenType(field.type, options),
    required,
    ...(doc === undefined || doc === "" ? {} : { comment: doc }),
    ...(writeDefault === undefined || writeDefault === null || !isPrimitive(field.type)
      ? {}
      : { default: formatDefault(writeDefault, field.type) }),
    ...(options.withIds ? { id: field.id } : {}),
  };
}

function writtenType(type: Type, options: { readonly withIds: boolean }): WrittenType {
  const id = (value: number): { id?: number } => (options.withIds ? { id: value } : {});
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: type.fields.map((field) => writtenField(field, options)) };
    case "list":
      return {
        kind: "list",
        element: { type: writtenType(type.element, options), required: type.elementRequired, ...id(type.elementId) },
      };
    case "map":
      return {
        kind: "map",
        key: { type: writtenType(type.key, options), required: true, ...id(type.keyId) },
        value: { type: writtenType(type.value, options), required: type.valueRequired, ...id(type.valueId) },
      };
    default:
      return type;
  }
}
