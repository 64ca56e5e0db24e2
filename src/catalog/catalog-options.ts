// How a catalog is asked for: what the project file says of it, where its relative paths start, and what it may use of the
// machine. Types only; the list of catalogs is index.ts.
import type { Catalog } from "./catalog.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import type { RestOptions } from "./rest-settings.ts";

/** A catalog as the project file describes it: `type` says which of the others it has. */
export interface CatalogOptions extends RestOptions {
  readonly type: string;
  readonly warehouse?: string | null;
  /** Of AWS; null: as the environment says. */
  readonly region?: string | null;
  /** Of AWS, twelve digits; null: that of the credentials. */
  readonly account?: string | null;
  /** The ARN of a table bucket of S3 Tables. */
  readonly bucket?: string | null;
}

export interface CatalogContext {
  /** The logical name in the project file. */
  readonly name: string;
  /** The folder from which relative paths count, absolute. */
  readonly root: string;
  readonly ports: CatalogPorts;
}

export type CatalogFactory = (options: CatalogOptions, context: CatalogContext) => Promise<Catalog>;
