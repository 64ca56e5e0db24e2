// The program on AWS as far as it is played here: a fake Glue and a fake S3 over real HTTP, a project folder, and the
// tables of the example put into the bucket as Spark with Glue's catalog would have left them. Most runs are made in
// this process; `built` starts the program that is shipped.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type FakeGlue, type GlueOptions, startGlue } from "../fakes/glue.ts";
import { type FakeS3, startS3 } from "../fakes/s3.ts";
import { exampleTable, type GlueColumnEntry, currentColumns, javaEntry, type JsonMetadata } from "./glue-tables.ts";
import { inside } from "./inside.ts";
import { floeplan, type Ran, type RunOptions } from "./support.ts";

export const ACCOUNT = "011122223333";
export const BUCKET = "acme-lake";

export interface Lake {
  readonly glue: FakeGlue;
  readonly s3: FakeS3;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Writes a file of the project. */
  write(path: string, text: string): void;
  run(...words: readonly string[]): Promise<Ran>;
  /** The same with other variables beside. */
  runWith(variables: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ran>;
  /** The program as it is shipped, in a process of its own. */
  built(options: RunOptions, ...words: readonly string[]): Promise<Ran>;
  /** Runs it, fails unless it ends with that code, and gives what it said, blanks made one. */
  said(exit: number, ...words: readonly string[]): Promise<string>;
  /** One of the example's tables in `hr`, under its own name or another. */
  seed(table?: "iceberg_employee" | "iceberg_employee_dirty", name?: string): void;
  /** What the entry of a table points to. */
  metadata(table: string): JsonMetadata;
  metadataLocation(table: string): string;
  columns(table: string): readonly GlueColumnEntry[];
  parameters(table: string): Readonly<Record<string, string>>;
  /** Fails unless Glue's list is that of the current schema, and no more. */
  expectListInStep(table: string): void;
  /** All that a commit could change: the objects of the bucket and the entries of these tables. */
  state(...tables: readonly string[]): unknown;
  clearCalls(): void;
  stop(): Promise<void>;
}

export const PROJECT = `floeplan: 1
tables: [ "tables/**/*.yaml" ]
environments:
  prod:
    catalogs:
      lake: { type: glue, region: us-east-1, account: "${ACCOUNT}" }
    location: "s3://${BUCKET}/{namespace}/{table}"
`;

export async function startLake(options: Partial<GlueOptions> = {}, project = PROJECT): Promise<Lake> {
  const [glue, s3] = await Promise.all([
    startGlue({ account: ACCOUNT, databases: ["hr"], ...options }),
    startS3({ buckets: [BUCKET] }),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "floeplan-glue-"));
  const variables = {
    ...s3.variables,
    ...glue.variables,
    // None: what stands in the home folder of whoever runs the tests is not looked at.
    AWS_CONFIG_FILE: join(folder, "no-aws-config"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "no-aws-credentials"),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("floeplan.yaml", project);
  const runWith: Lake["runWith"] = async (more, ...words) => await inside(folder, words, { ...variables, ...more });
  const entry = (table: string): Readonly<Record<string, unknown>> => {
    const [database = "", name = ""] = table.split(".");
    const found = glue.tables.get(database, name);
    if (found === undefined) throw new Error(`Glue has no table ${table}`);
    return found;
  };
  const parameters = (table: string): Readonly<Record<string, string>> =>
    (entry(table)["Parameters"] ?? {}) as Readonly<Record<string, string>>;
  const metadataLocation = (table: string): string => parameters(table)["metadata_location"] ?? "";
  const metadata = (table: string): JsonMetadata => metadataAt(s3, metadataLocation(table));
  const columns = (table: string): readonly GlueColumnEntry[] =>
    (entry(table)["StorageDescriptor"] as { readonly Columns: readonly GlueColumnEntry[] }).Columns;
  return {
    glue,
    s3,
    folder,
    variables,
    write,
    run: async (...words) => await runWith({}, ...words),
    runWith,
    built: async (options, ...words) =>
      await floeplan(folder, words, { ...options, variables: { ...variables, ...options.variables } }),
    said: async (exit, ...words) => {
      const ran = await runWith({}, ...words);
      expect([ran.exit, ran.exit === exit ? "" : (ran.stdout + ran.stderr).slice(0, 4000)], words.join(" ")).toEqual([exit, ""]);
      return (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
    },
    seed: (table = "iceberg_employee", name = table) => {
      const { objects, metadataLocation: location, previousLocation } = exampleTable(table, `s3://${BUCKET}/hr/${name}`);
      for (const [at, bytes] of objects) s3.objects.put(at, bytes);
      glue.tables.put("hr", javaEntry(name, metadataAt(s3, location), location, previousLocation));
    },
    metadata,
    metadataLocation,
    columns,
    parameters,
    expectListInStep: (table) => {
      expect(columns(table)).toEqual(currentColumns(metadata(table)));
    },
    state: (...tables) => ({
      objects: s3.objects.keys(BUCKET).map((key) => [key, digest(s3.objects.get(`s3://${BUCKET}/${key}`))]),
      entries: tables.map((table) => glue.tables.get(table.split(".")[0] ?? "", table.split(".")[1] ?? "")),
    }),
    clearCalls: () => {
      glue.clearCalls();
      s3.clearCalls();
    },
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      await glue.stop();
      await s3.stop();
    },
  };
}

function digest(bytes: Uint8Array | undefined): string {
  return createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
}

function metadataAt(s3: FakeS3, location: string): JsonMetadata {
  const bytes = s3.objects.get(location);
  if (bytes === undefined) throw new Error(`The bucket has no ${location}`);
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonMetadata;
}

/** A file of the example project. */
export function exampleFile(path: string): string {
  return readFileSync(join(import.meta.dirname, "../../examples/employees", path), "utf8");
}
