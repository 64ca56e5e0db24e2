// The registry of fuzz targets: one a line.
import type { FuzzTarget } from "../target.ts";
import { editYaml } from "./edit-yaml.ts";
import { github } from "./github.ts";
import { glue } from "./glue.ts";
import { manifest, manifestList } from "./manifest.ts";
import { metadata } from "./metadata.ts";
import { parquet } from "./parquet.ts";
import { planJson } from "./plan-json.ts";
import { project } from "./project.ts";
import { rest } from "./rest.ts";
import { s3Tables } from "./s3-tables.ts";
import { s3 } from "./s3.ts";
import { texts } from "./texts.ts";
import { tableYaml } from "./yaml.ts";

export const TARGETS: readonly FuzzTarget[] = [
  tableYaml,
  project,
  editYaml,
  metadata,
  manifest,
  manifestList,
  parquet,
  planJson,
  rest,
  github,
  glue,
  s3Tables,
  s3,
  texts,
];
