// What the catalog asks of Glue, in Glue's words: the calls, without a client. The client is in glue.ts.
// Every failure is a GlueError.
import type { Page } from "./all-pages.ts";
import type { GlueDatabase, GlueTable, GlueTableInput } from "../iceberg/glue-entry.ts";

/** What a page holds at most, as the service allows. */
export const PAGE_SIZE = 100;

export interface GlueService {
  /** Null: there is no such table, or no such database. */
  getTable(database: string, name: string): Promise<GlueTable | null>;
  /** Null: there is no such database. */
  getTables(database: string, token: string | null): Promise<Page<GlueTable> | null>;
  /** Null: there is no such database. */
  getDatabase(name: string): Promise<GlueDatabase | null>;
  getDatabases(token: string | null): Promise<Page<GlueDatabase>>;
  /** The two that change the pointer are sent once: no try of the client's own hides behind an answer. */
  createTable(database: string, input: GlueTableInput): Promise<void>;
  updateTable(database: string, input: GlueTableInput, versionId: string): Promise<void>;
  createDatabase(name: string): Promise<void>;
}
