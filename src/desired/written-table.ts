// A table as it is to be written into a new file: like a declaration, without places. Made from a live table by
// plan/import-table.ts, or by hand for a single field. Data only; the text is write-yaml.ts's.
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { TransformText } from "../iceberg/partition-spec.ts";
import type { NullOrder, SortDirection } from "../iceberg/sort-order.ts";
import type { PrimitiveType } from "../iceberg/type.ts";

export type WrittenType =
  | PrimitiveType
  | { readonly kind: "struct"; readonly fields: readonly WrittenField[] }
  | { readonly kind: "list"; readonly element: WrittenPart }
  | { readonly kind: "map"; readonly key: WrittenPart; readonly value: WrittenPart };

/** One id for all environments, or one for each that is named. */
export type WrittenPin = number | ReadonlyMap<string, number>;

export interface WrittenPart {
  readonly type: WrittenType;
  readonly required: boolean;
  readonly id?: WrittenPin;
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
  readonly id?: WrittenPin | "new";
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
