// A project on an emulator of AWS in a scratch folder, what a suite asks of floeplan there, and Glue's own list of a
// table's columns, asked by the AWS SDK and held against the table's metadata by code that shares nothing with floeplan.
import { type Column, GetTableCommand, GlueClient, UpdateTableCommand } from "@aws-sdk/client-glue";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { deepStrictEqual } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { currentColumns, javaColumns, type JsonMetadata } from "../../blackbox/glue-tables.ts";
import { runFloeplan, type FloeplanRun } from "../support/floeplan.ts";
import type { AwsEmulator } from "../support/services/aws.ts";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

export const BUCKET = "acme-lake";

export interface GlueProject {
  readonly folder: string;
  /** Writes a file of the project. */
  write(path: string, text: string): Promise<void>;
  run(...words: readonly string[]): Promise<FloeplanRun>;
  /** Runs it and fails unless it ends with that code; what it said, blanks made one. */
  said(exit: number, ...words: readonly string[]): Promise<string>;
  /** Plans and applies; the kinds of the steps. Glue's list must be that of the schema then, and the next plan empty. */
  apply(table: string): Promise<readonly string[]>;
  /** The next plan has no step. */
  inStep(table: string): Promise<void>;
  columns(table: string): Promise<readonly Column[]>;
  /** Glue's list must be the one that Iceberg's Java writer makes of the metadata: left-overs are marked. */
  listedAsByJava(table: string): Promise<void>;
  /** Puts another list into Glue, as a careless tool would. */
  spoil(table: string, change: (columns: readonly Column[]) => Column[]): Promise<void>;
}

const CONFIG = `floeplan: 1
tables: [ "tables/**/*.yaml" ]
environments:
  prod:
    catalogs:
      lake: { type: glue, region: us-east-1 }
    location: "s3://${BUCKET}/{namespace}/{table}"
`;

interface AppliedJson {
  readonly tables: readonly { readonly outcome: string; readonly steps: readonly { readonly kind: string }[] }[];
}

export async function glueProject(folder: string, aws: AwsEmulator): Promise<GlueProject> {
  const settings = {
    endpoint: aws.url,
    region: aws.region,
    credentials: { accessKeyId: aws.accessKeyId, secretAccessKey: aws.secretAccessKey },
  };
  const [glue, s3] = [new GlueClient(settings), new S3Client({ ...settings, forcePathStyle: true })];

  const write: GlueProject["write"] = async (path, text) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const run: GlueProject["run"] = async (...words) => await runFloeplan(words, { folder, variables: aws.variables });
  const ran = async (exit: number, words: readonly string[]): Promise<FloeplanRun> => {
    const done = await run(...words);
    if (done.exit !== exit)
      throw new Error(`floeplan ${words.join(" ")} ended with ${done.exit}, not ${exit}\n${done.stdout}${done.stderr}`);
    return done;
  };
  const said: GlueProject["said"] = async (exit, ...words) => {
    const { stdout, stderr } = await ran(exit, words);
    return (stdout + stderr).replaceAll(/\s+/g, " ");
  };
  const entryOf = async (table: string) => {
    const [DatabaseName, Name] = table.split(".");
    const { Table } = await glue.send(new GetTableCommand({ DatabaseName, Name }));
    if (Table === undefined) throw new Error(`Glue has no table ${table}`);
    return Table;
  };
  const metadataOf = async (table: string): Promise<JsonMetadata> => {
    const { pathname } = new URL((await entryOf(table)).Parameters?.["metadata_location"] ?? "");
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: pathname.slice(1) }));
    return JSON.parse((await Body?.transformToString()) ?? "") as JsonMetadata;
  };
  const columns: GlueProject["columns"] = async (table) => (await entryOf(table)).StorageDescriptor?.Columns ?? [];
  const inStep: GlueProject["inStep"] = async (table) => {
    const told = await said(0, "plan", table, "--exit-code");
    if (!told.includes("No changes")) throw new Error(told);
  };
  await write("floeplan.yaml", CONFIG);
  return {
    folder,
    write,
    run,
    said,
    columns,
    inStep,
    apply: async (table) => {
      await ran(0, ["plan", table, "--out", "plan.json"]);
      const { stdout } = await ran(0, ["apply", table, "--plan", "plan.json", "--format", "json"]);
      const [applied] = (JSON.parse(stdout) as AppliedJson).tables;
      if (applied?.outcome !== "applied") throw new Error(stdout);
      deepStrictEqual(plain(await columns(table)), plain(currentColumns(await metadataOf(table))));
      await inStep(table);
      return [...new Set(applied.steps.map(({ kind }) => kind))].sort();
    },
    listedAsByJava: async (table) => {
      deepStrictEqual(plain(await columns(table)), plain(javaColumns(await metadataOf(table))));
    },
    spoil: async (table, change) => {
      const [DatabaseName] = table.split(".");
      const { Name, TableType, Parameters, StorageDescriptor, VersionId } = await entryOf(table);
      const Columns = change(StorageDescriptor?.Columns ?? []);
      const TableInput = { Name, TableType, Parameters, StorageDescriptor: { ...StorageDescriptor, Columns } };
      await glue.send(new UpdateTableCommand({ DatabaseName, TableInput, VersionId, SkipArchive: true }));
    },
  };
}

/** Without members that are not there. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
