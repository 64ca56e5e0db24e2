// What the commands are asked for, as data: the same whether it was typed, set in a workflow or built by a test.
// The command line's table of options is checked against these types.

export const ENGINES_WITH_DDL = ["spark", "athena", "trino"] as const;
export type DdlEngine = (typeof ENGINES_WITH_DDL)[number];

export interface ProjectArguments {
  /** Path of the project file; null: found from the directory upwards. */
  readonly config: string | null;
  /** A key of `environments:`; null: the only one. */
  readonly env: string | null;
}

export interface SelectionArguments extends ProjectArguments {
  /** Declared table names, globs over them, or files. Empty: all tables. */
  readonly selectors: readonly string[];
  readonly exclude: readonly string[];
  /** Only tables whose declaration differs from a Git revision; true: from the merge base with the default branch. */
  readonly changed: string | true | null;
}

export interface ValidateArguments extends SelectionArguments {
  readonly fix: boolean;
}

export interface FmtArguments extends SelectionArguments {
  readonly check: boolean;
  readonly prune: boolean;
}

export interface PlanArguments extends SelectionArguments {
  readonly exitCode: boolean;
  /** Read every value of the columns that are converted, to count those that fail. */
  readonly preflight: boolean;
  /** Read manifests for what they prove. */
  readonly evidence: boolean;
  readonly ddl: DdlEngine | null;
}

export interface ApplyArguments extends SelectionArguments {
  readonly yes: boolean;
  /** A plan file whose steps were reviewed. */
  readonly plan: string | null;
  /** Step ids or plan fingerprints, 8 digits or more. */
  readonly approve: readonly string[];
  readonly dryRun: boolean;
  readonly reason: string | null;
}

/** A catalog to read from without a project: at most one is named. */
export interface BareCatalogArguments {
  /** Folder of a warehouse. */
  readonly local: string | null;
  /** Region whose Glue Data Catalog is read. */
  readonly glue: string | null;
  /** ARN of a table bucket. */
  readonly s3Tables: string | null;
  /** Address of a REST catalog. */
  readonly rest: string | null;
}

export const NO_BARE_CATALOG: BareCatalogArguments = { local: null, glue: null, s3Tables: null, rest: null };

export interface ShowArguments extends ProjectArguments, BareCatalogArguments {
  readonly table: string;
  /** How many rows to print; 0: none. */
  readonly rows: number;
  /** Print statements instead. */
  readonly ddl: DdlEngine | null;
}

export interface ExplainArguments {
  /** A diagnostic's code, a key of the YAML files, or a word of a plan. */
  readonly word: string;
}

export interface DemoArguments {
  /** Null: a temporary folder. */
  readonly folder: string | null;
}

export interface TableChangeArguments extends ProjectArguments {
  readonly table: string;
  readonly yes: boolean;
  readonly reason: string | null;
}

export interface ImportArguments extends ProjectArguments, BareCatalogArguments {
  /** Names or globs of live tables, as they would be declared. Empty: all that no file declares. */
  readonly selectors: readonly string[];
  readonly exclude: readonly string[];
  /** Logical name; null: all catalogs of the environment. */
  readonly catalog: string | null;
  /** Add undeclared live columns to the files that are there. */
  readonly update: boolean;
  /** `glue`: also the comments that only the catalog keeps, which the next plan then writes to the table. */
  readonly comments: "iceberg" | "glue";
  readonly stdout: boolean;
  readonly withIds: boolean;
}

export interface DriftArguments extends SelectionArguments {
  readonly exitCode: boolean;
  /** List the tables that no file declares, and count them as drift. */
  readonly unmanagedTables: boolean;
}

export interface StatusArguments extends SelectionArguments {
  readonly exitCode: boolean;
}

export interface InitArguments {
  /** A folder: the project is begun on it, without an account and workflows. */
  readonly local: string | null;
  /** In order of promotion; empty: dev and prod. */
  readonly environments: readonly string[];
  /** Null: it is asked for. */
  readonly secondLock: "environment" | "reviews" | null;
  readonly region: string | null;
  readonly account: string | null;
  readonly project: string | null;
  readonly owner: string | null;
  readonly branch: string | null;
  /** `owner/name@ref` of the Action in the workflows. */
  readonly action: string | null;
}
