// A table's entry in the AWS Glue Data Catalog as far as floeplan looks at it, in Glue's own words (API model of
// 2017-03-31). Whatever else an entry holds travels along unseen. Knows no service and no client.

export interface GlueColumn {
  readonly Name: string | undefined;
  readonly Type?: string | undefined;
  readonly Comment?: string | undefined;
  readonly Parameters?: Readonly<Record<string, string>> | undefined;
}

export interface GlueStorage {
  readonly Columns?: readonly GlueColumn[] | undefined;
  readonly Location?: string | undefined;
  readonly AdditionalLocations?: readonly string[] | undefined;
}

/** What can be written of an entry. */
export interface GlueTableInput {
  readonly Name: string | undefined;
  readonly Description?: string | undefined;
  readonly Owner?: string | undefined;
  readonly LastAccessTime?: Date | undefined;
  readonly LastAnalyzedTime?: Date | undefined;
  readonly Retention?: number | undefined;
  readonly StorageDescriptor?: GlueStorage | undefined;
  readonly PartitionKeys?: readonly GlueColumn[] | undefined;
  readonly ViewOriginalText?: string | undefined;
  readonly ViewExpandedText?: string | undefined;
  readonly TableType?: string | undefined;
  readonly Parameters?: Readonly<Record<string, string>> | undefined;
  readonly TargetTable?: GlueTarget | undefined;
}

/** What a resource link leads to. */
export interface GlueTarget {
  readonly CatalogId?: string | undefined;
  readonly DatabaseName?: string | undefined;
  readonly Name?: string | undefined;
  readonly Region?: string | undefined;
}

export interface GlueFederation {
  readonly Identifier?: string | undefined;
  readonly ConnectionName?: string | undefined;
  readonly ConnectionType?: string | undefined;
}

export interface GlueTable extends GlueTableInput {
  readonly DatabaseName?: string | undefined;
  readonly CatalogId?: string | undefined;
  /** The lock word: an update names the one it was built on. */
  readonly VersionId?: string | undefined;
  readonly FederatedTable?: GlueFederation | undefined;
  readonly IsMultiDialectView?: boolean | undefined;
  readonly IsMaterializedView?: boolean | undefined;
}

export interface GlueDatabase {
  readonly Name: string | undefined;
  readonly LocationUri?: string | undefined;
  readonly TargetDatabase?: GlueTarget | undefined;
  readonly FederatedDatabase?: GlueFederation | undefined;
}

/**
 * What becomes of each member of an entry that was read when it is written again: `ours` is made from the metadata,
 * `carried` goes back as it came, `read-only` is Glue's own and no part of what can be written. A federated table, a
 * view and its definition are never written.
 */
export const ENTRY_MEMBERS = {
  Name: "carried",
  DatabaseName: "read-only",
  Description: "ours",
  Owner: "carried",
  CreateTime: "read-only",
  UpdateTime: "read-only",
  LastAccessTime: "carried",
  LastAnalyzedTime: "carried",
  Retention: "carried",
  StorageDescriptor: "ours",
  PartitionKeys: "carried",
  ViewOriginalText: "carried",
  ViewExpandedText: "carried",
  TableType: "ours",
  Parameters: "ours",
  CreatedBy: "read-only",
  IsRegisteredWithLakeFormation: "read-only",
  TargetTable: "carried",
  CatalogId: "read-only",
  VersionId: "read-only",
  FederatedTable: "read-only",
  ViewDefinition: "read-only",
  IsMultiDialectView: "read-only",
  IsMaterializedView: "read-only",
  IcebergTableMetadata: "read-only",
  Status: "read-only",
  RLSProperties: "read-only",
} as const;

/** The parameters that make an entry an Iceberg table; all others are somebody's own. */
export const TABLE_TYPE = "table_type";
export const METADATA_LOCATION = "metadata_location";
export const PREVIOUS_METADATA_LOCATION = "previous_metadata_location";

export const POINTER_PARAMETERS: ReadonlySet<string> = new Set([TABLE_TYPE, METADATA_LOCATION, PREVIOUS_METADATA_LOCATION]);
