// What the catalog asks of S3 Tables, in its words: the calls, without a client. The client is in s3-tables.ts.
// Every failure is an S3TablesError.
import type { Page } from "./all-pages.ts";

/** What a page holds at most, as the service allows. */
export const PAGE_SIZE = 1000;

/** Of one call, so that the three belong together. */
export interface TablePointer {
  /** Holds until the table changes; given back with a change, it keeps two writers apart. */
  readonly versionToken: string;
  /** Null: the table was made without metadata, and nobody can read it yet. */
  readonly metadataLocation: string | null;
  /** Everything that the table stores lies below. */
  readonly warehouseLocation: string;
}

export interface ListedTable {
  readonly namespace: string;
  readonly name: string;
  /** Kept by AWS itself (system tables, replicas): nobody else writes it. */
  readonly isManaged: boolean;
}

export interface S3TablesService {
  /** Null: the service found no such table, namespace or table bucket. */
  getPointer(namespace: string, table: string): Promise<TablePointer | null>;
  /** Of one namespace, or of all by null. Null: no such namespace or table bucket. */
  listTables(namespace: string | null, token: string | null): Promise<Page<ListedTable> | null>;
  /** False also where there is no such table bucket. */
  hasNamespace(namespace: string): Promise<boolean>;
  hasBucket(): Promise<boolean>;
  createNamespace(namespace: string): Promise<void>;
  /** Without metadata: what it holds is the first commit's business. */
  createTable(namespace: string, table: string): Promise<void>;
  /** Sent once: no try of the client's own hides behind an answer. The new token. */
  swapPointer(namespace: string, table: string, next: PointerSwapInput): Promise<string>;
}

export interface PointerSwapInput {
  readonly versionToken: string;
  readonly metadataLocation: string;
}
