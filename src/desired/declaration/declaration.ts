// A table file as read, before an environment is chosen: pins and overrides of all environments still in it. Data
// only; resolved to a TableSpec by build-table-spec.ts.
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import type { PrimitiveType } from "../../iceberg/type.ts";
import type {
  Acknowledgement,
  DeclaredField,
  DeclaredPart,
  DeclaredPartitionField,
  DeclaredSortField,
  Placed,
} from "../table-spec.ts";

/** A field id for all environments or for each by its name, or `new`. */
export type Pin = number | "new" | ReadonlyMap<string, number>;

export type PinnedType =
  | PrimitiveType
  | { readonly kind: "struct"; readonly fields: readonly PinnedField[] }
  | { readonly kind: "list"; readonly element: PinnedPart }
  | { readonly kind: "map"; readonly key: PinnedPart; readonly value: PinnedPart };

export interface PinnedPart extends Omit<DeclaredPart, "type" | "id"> {
  readonly type: PinnedType;
  readonly id: Placed<Pin> | null;
}

export interface PinnedField extends Omit<DeclaredField, "type" | "id"> {
  readonly type: PinnedType;
  readonly id: Placed<Pin> | null;
}

export type Properties = ReadonlyMap<string, Placed<string | null>>;

/** A list of the file with the place of its key. */
export type PlacedList<T> = Placed<readonly T[]>;

/** What one environment has otherwise. */
export interface Override {
  readonly place: Place;
  readonly skip: boolean;
  readonly table: Placed<readonly string[]> | undefined;
  readonly catalog: Placed<string> | undefined;
  readonly location: Placed<string> | undefined;
  readonly properties: Properties;
  readonly partitionBy: PlacedList<DeclaredPartitionField> | undefined;
  readonly sortBy: PlacedList<DeclaredSortField> | undefined;
}

export interface TableDeclaration {
  /** As printed, e.g. `sales.orders`. */
  readonly name: string;
  /** Namespace levels and the table's name, last. */
  readonly parts: readonly string[];
  readonly file: string;
  readonly place: Place;
  readonly catalog: Placed<string> | undefined;
  readonly owner: string | null;
  readonly meta: JsonObject | null;
  readonly comment: Placed<string> | undefined;
  readonly columns: readonly PinnedField[];
  readonly identifierFields: PlacedList<Placed<string>> | undefined;
  readonly partitionBy: PlacedList<DeclaredPartitionField> | undefined;
  readonly sortBy: PlacedList<DeclaredSortField> | undefined;
  readonly properties: Properties;
  readonly glueParameters: Properties;
  readonly formatVersion: Placed<number> | undefined;
  readonly location: Placed<string> | undefined;
  readonly dropped: readonly Acknowledgement[];
  readonly unmanaged: readonly Placed<string>[];
  readonly remember: boolean | undefined;
  readonly isNew: boolean;
  readonly environments: ReadonlyMap<string, Override>;
  /** Names of the shared groups that it uses. */
  readonly groups: readonly string[];
  /** True where a part could not be read: findings tell why, and no spec is built. */
  readonly isPartial: boolean;
}

/** A reusable group of columns from a shared file. */
export interface ColumnGroup {
  readonly name: string;
  readonly file: string;
  readonly place: Place;
  /** Null where they cannot be read: the shared file's findings tell why. */
  readonly fields: readonly PinnedField[] | null;
}
