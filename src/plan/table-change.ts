// What a plan comes to as one commit, and the parts that it is made of. Types only: a draft gathers them (draft.ts), and
// create.ts and evolve.ts make the commit of them.
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import type { PartitionSpec } from "../iceberg/partition-spec.ts";
import type { SortOrder } from "../iceberg/sort-order.ts";
import type { FormatVersion } from "../iceberg/table-metadata.ts";
import type { TableRequirement } from "../iceberg/table-requirement.ts";
import type { TableUpdate } from "../iceberg/table-update.ts";
import type { Field, Schema } from "../iceberg/type.ts";

export type ConversionRequest = Omit<ColumnConversion, "newId">;

export interface PlannedConversion extends ColumnConversion {
  /** The whole retired field as it was live. */
  readonly retired: Field;
  readonly parentId: number | null;
}

/** One commit, ready but for the data: without the memory that apply adds (base.ts) and without snapshots. */
export interface TableChange {
  readonly createsNamespace: boolean;
  readonly newTable: NewTableParts | null;
  readonly updates: readonly TableUpdate[];
  readonly requirements: readonly TableRequirement[];
  /** The schema as it will stand, with its predicted id. */
  readonly schema: Schema;
  readonly conversions: readonly PlannedConversion[];
  /** Beside the properties: parameters of the catalog's own entry, null to remove one. */
  readonly catalogParameters: ReadonlyMap<string, string | null>;
  /** Must the catalog's own list be brought in step, also where no update changes the metadata? */
  readonly syncsCatalog: boolean;
}

/** A new table before its ids are given: `schema` with placeholder ids, spec and order by those placeholders. */
export interface NewTableParts {
  readonly formatVersion: FormatVersion;
  readonly schema: Schema;
  readonly spec: PartitionSpec;
  readonly sortOrder: SortOrder;
  readonly properties: Readonly<Record<string, string>>;
  /** Null: the catalog chooses. */
  readonly location: string | null;
}
