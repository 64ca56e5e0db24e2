// The declared table as data, with names and places and no ids: what one YAML file says for one environment.
// Built by build-table-spec.ts, read by plan/, lint/ and report/. Knows nothing of YAML.
import type { Place } from "../diagnostics/diagnostic.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import type { TransformText } from "../iceberg/partition-spec.ts";
import type { NullOrder, SortDirection } from "../iceberg/sort-order.ts";
import type { PrimitiveType } from "../iceberg/type.ts";

/** A value with the spot in the file that says it. */
export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

export type DeclaredType =
  | PrimitiveType
  | { readonly kind: "struct"; readonly fields: readonly DeclaredField[] }
  | { readonly kind: "list"; readonly element: DeclaredPart }
  | { readonly kind: "map"; readonly key: DeclaredPart; readonly value: DeclaredPart };

/** A list element, map key or map value: no name and no doc in Iceberg. A map key is always required. */
export interface DeclaredPart {
  readonly type: DeclaredType;
  readonly required: boolean;
  /** Pinned field id of this environment. */
  readonly id: number | null;
  readonly convert: Placed<ConversionRule> | null;
  readonly place: Place;
}

export interface DeclaredField {
  readonly name: string;
  readonly type: DeclaredType;
  readonly required: boolean;
  /** Undefined: keep what is live. Empty text: remove it. */
  readonly comment: Placed<string> | undefined;
  /** Undefined: keep what is live. Null: remove the write default. Else the source text, read by the declared type. */
  readonly default: Placed<string | null> | undefined;
  /** Newest first. */
  readonly renamedFrom: readonly Placed<string>[];
  readonly convert: Placed<ConversionRule> | null;
  /** A pinned id, `"new"` for a new column under a retired name, or null. */
  readonly id: Placed<number | "new"> | null;
  readonly meta: JsonObject | null;
  /** Name of the shared group that brought the field, or null. */
  readonly group: string | null;
  /** The field's own item; `places` has the finer spots that exist. */
  readonly place: Place;
  readonly places: Readonly<Partial<Record<"name" | "type" | "required", Place>>>;
}

/** `name` null: the default name by Iceberg's rule. `source` is a path. */
export interface DeclaredPartitionField {
  readonly source: string;
  readonly transform: TransformText;
  readonly name: string | null;
  readonly place: Place;
}

export interface DeclaredSortField {
  readonly source: string;
  readonly transform: TransformText;
  readonly direction: SortDirection;
  readonly nullOrder: NullOrder;
  readonly place: Place;
}

export interface Acknowledgement {
  /** Field path. */
  readonly field: string;
  readonly reason: string;
  readonly place: Place;
}

export interface TableSpec {
  /** The declared name as printed, e.g. `sales.orders`; the same in every environment. */
  readonly name: string;
  /** Where the table is in this environment, after namespace template and override. */
  readonly identifier: TableIdentifier;
  /** Logical catalog name. */
  readonly catalog: string;
  readonly environment: string;
  /** Path of the file, relative to the project. */
  readonly file: string;
  readonly place: Place;
  readonly owner: string | null;
  readonly meta: JsonObject | null;
  readonly comment: Placed<string> | undefined;
  readonly columns: readonly DeclaredField[];
  /** Undefined: keep live. Paths. */
  readonly identifierFields: readonly Placed<string>[] | undefined;
  readonly partitionBy: readonly DeclaredPartitionField[] | undefined;
  readonly sortBy: readonly DeclaredSortField[] | undefined;
  /** Spots of the keys `partition-by`, `sort-by`, `identifier-fields` where they stand. */
  readonly places: Readonly<
    Partial<Record<"partition-by" | "sort-by" | "identifier-fields" | "format-version" | "location", Place>>
  >;
  /** Value null: must not be set. */
  readonly properties: ReadonlyMap<string, Placed<string | null>>;
  readonly glueParameters: ReadonlyMap<string, Placed<string | null>>;
  readonly formatVersion: number | undefined;
  /** For a new table only: the file's own location, else the environment's template, filled; null: the catalog chooses. */
  readonly location: string | null;
  /** Properties that only a new table gets (`defaults:` of the project). */
  readonly newTableProperties: ReadonlyMap<string, string>;
  readonly newTableFormatVersion: number;
  readonly dropped: readonly Acknowledgement[];
  /** Globs over field paths. */
  readonly unmanaged: readonly Placed<string>[];
  /** Keep `floeplan.applied.*` in the table. */
  readonly remember: boolean;
  /** `new: true`: the author says that an empty new table is meant. */
  readonly isNew: boolean;
  /** `project:`; written as `floeplan.owner`. */
  readonly project: string | null;
}
