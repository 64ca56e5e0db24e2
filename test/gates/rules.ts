// The rules that architecture.test.ts holds, as data. The same table is told in docs/architecture.md.

interface RoomRule {
  readonly mayImport: readonly string[];
  readonly mayImportTypes?: readonly string[];
  readonly pure: boolean;
}

export const MAX_LINES = 300;

const BASE = ["diagnostics", "iceberg"];

export const ROOMS: Readonly<Record<string, RoomRule>> = {
  diagnostics: { mayImport: [], pure: true },
  iceberg: { mayImport: ["diagnostics"], pure: true },
  conversion: { mayImport: BASE, pure: true },
  parquet: { mayImport: ["diagnostics"], pure: true },
  desired: { mayImport: [...BASE, "conversion"], pure: false },
  storage: { mayImport: BASE, pure: false },
  catalog: { mayImport: [...BASE, "storage"], pure: false },
  plan: { mayImport: [...BASE, "conversion"], mayImportTypes: ["desired"], pure: true },
  lint: { mayImport: [...BASE, "conversion"], mayImportTypes: ["plan", "desired"], pure: true },
  rewrite: { mayImport: [...BASE, "conversion", "parquet", "storage", "catalog"], pure: false },
  apply: {
    mayImport: [...BASE, "conversion", "storage", "plan", "rewrite", "catalog"],
    mayImportTypes: ["desired"],
    pure: false,
  },
  report: { mayImport: [...BASE], mayImportTypes: ["plan", "apply", "desired"], pure: true },
  forge: { mayImport: ["diagnostics"], pure: false },
  commands: {
    mayImport: [
      ...BASE,
      "conversion",
      "parquet",
      "desired",
      "storage",
      "catalog",
      "plan",
      "lint",
      "rewrite",
      "apply",
      "report",
      "forge",
    ],
    pure: false,
  },
  cli: { mayImport: ["diagnostics", "commands", "report"], pure: false },
  // One more shell around the commands, and the only room that holds plans against what a forge knows.
  action: {
    mayImport: [...BASE, "desired", "catalog", "plan", "lint", "apply", "report", "forge", "commands", "cli"],
    pure: false,
  },
};

/** Modules and words that a pure room must not use. `node:zlib`, `node:crypto` hashing and Buffer are pure. */
export const PURE_BANNED = {
  modules: [
    "node:fs",
    "fs",
    "node:net",
    "node:http",
    "node:https",
    "node:child_process",
    "node:os",
    "node:process",
    "node:timers",
    "@aws-sdk",
    "@octokit",
    "@actions",
  ],
  words: [
    /\bDate\.now\b/,
    /\bnew Date\(\)/,
    /\bMath\.random\b/,
    /\brandomUUID\b/,
    /\brandomBytes\b/,
    /\bprocess\.\w/,
    /\bfetch\(/,
    /\bsetTimeout\b/,
    /\bperformance\./,
  ],
} as const;

/** Library → where in src/ it may be imported. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  "@aws-sdk": [
    "catalog/glue.ts",
    "catalog/s3-tables.ts",
    "storage/s3.ts",
    "storage/aws-credentials.ts",
    "storage/aws-identity.ts",
  ],
  "@actions": ["action/"],
  "@octokit": ["forge/"],
  yaml: ["desired/"],
  ajv: ["desired/"],
  hyparquet: ["parquet/", "commands/rows/"],
  "@bokuweb/zstd-wasm": ["parquet/"],
};

/** Every file of `folder` is named by an import of `registry`, `except` apart. */
export const REGISTRIES: readonly { readonly folder: string; readonly registry: string; readonly except: readonly string[] }[] = [
  { folder: "conversion/kinds", registry: "conversion/index.ts", except: [] },
  { folder: "plan/steps", registry: "plan/steps/index.ts", except: [] },
  { folder: "desired/catalogs", registry: "desired/catalogs/index.ts", except: ["catalog-kind.ts"] },
  { folder: "lint/rules", registry: "lint/index.ts", except: [] },
];
