// Amazon S3 Tables in the project file: the ARN of a table bucket, which says the region and the account too.
import type { Place } from "../../diagnostics/diagnostic.ts";
import { type CatalogKind, textAt } from "./catalog-kind.ts";

export interface S3TablesConfig {
  readonly type: "s3-tables";
  readonly bucket: string;
  readonly place: Place;
}

export const S3_TABLES: CatalogKind<S3TablesConfig> = {
  type: "s3-tables",
  placesTables: "S3 Tables chooses where a table is stored",
  read: ({ map, place }) => {
    const bucket = textAt(map, "bucket");
    return bucket === null ? null : { type: "s3-tables", bucket, place };
  },
};
