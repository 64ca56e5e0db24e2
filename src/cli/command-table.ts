// The commands with their options and operands: the one table that parsing, `--help` and the README read.
import type {
  ApplyArguments,
  DemoArguments,
  DriftArguments,
  ExplainArguments,
  FmtArguments,
  ImportArguments,
  InitArguments,
  PlanArguments,
  ProjectArguments,
  ShowArguments,
  StatusArguments,
  ValidateArguments,
} from "../commands/arguments.ts";
import { ENGINES_WITH_DDL } from "../commands/arguments.ts";
import { type Command, command } from "./command.ts";
import { BARE_CATALOG_OPTIONS, PROJECT_OPTIONS, SELECTION_OPTIONS, SELECTORS } from "./options.ts";
import { REASON, TABLE, tableChange, YES } from "./table-change.ts";

const DDL = { kind: "value", placeholder: "ENGINE", choices: ENGINES_WITH_DDL } as const;

/** In the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  command(
    {
      name: "init",
      summary: "Write the project file, the workflows and an example table",
      options: {
        local: { kind: "value", placeholder: "DIR", summary: "Begin on the local warehouse DIR: no account, no workflows" },
        secondLock: {
          kind: "value",
          placeholder: "LOCK",
          choices: ["environment", "reviews"],
          summary: "Who agrees before data is lost or rewritten: reviewers of a protected environment, or of the pull request",
        },
        environment: { kind: "list", placeholder: "ENV", summary: "An environment, in order of promotion (default: dev, prod)" },
        region: { kind: "value", placeholder: "REGION", summary: "Region of AWS (default: eu-west-1)" },
        account: { kind: "value", placeholder: "DIGITS", summary: "Account of AWS, twelve digits" },
        project: { kind: "value", placeholder: "NAME", summary: "Name of the project (default: the folder's)" },
        owner: { kind: "value", placeholder: "@WHO", summary: "User or team that owns the tables, e.g. @acme/data-platform" },
        branch: { kind: "value", placeholder: "NAME", summary: "The default branch (default: main)" },
        action: { kind: "value", placeholder: "REF", summary: "The Action in the workflows, OWNER/NAME@REF" },
      },
      operand: null,
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan init --second-lock reviews --owner @acme/data-platform", "floeplan init --local ./warehouse"],
      arguments: ({ environment, ...parsed }): InitArguments => ({ ...parsed, environments: environment }),
    },
    () => import("../commands/init.ts"),
  ),
  command(
    {
      name: "demo",
      summary: "Make a small warehouse and walk through a plan and an apply",
      options: {},
      operand: {
        key: "folder",
        placeholder: "DIR",
        count: "optional",
        summary: "Where to make it (default: a temporary folder)",
      },
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan demo"],
      arguments: (parsed): DemoArguments => parsed,
    },
    () => import("../commands/demo.ts"),
  ),
  command(
    {
      name: "import",
      summary: "Write the files of live tables, so that the next plan is empty",
      options: {
        ...PROJECT_OPTIONS,
        exclude: { kind: "list", placeholder: "TABLE", summary: "Leave out a table or a glob; may be repeated" },
        catalog: { kind: "value", placeholder: "NAME", summary: "Only this catalog of the environment" },
        ...BARE_CATALOG_OPTIONS,
        update: { kind: "flag", summary: "Add the live columns that files lack, in place" },
        comments: {
          kind: "value",
          placeholder: "WHERE",
          choices: ["iceberg", "glue"],
          summary: "Also adopt comments that only Glue keeps",
        },
        stdout: { kind: "flag", summary: "Print the files and write none" },
        withIds: { kind: "flag", summary: "Pin the field ids" },
      },
      operand: {
        key: "selectors",
        placeholder: "TABLE | GLOB",
        count: "many",
        summary: "Names as they would be declared, or globs over them (default: all tables that no file declares)",
      },
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      examples: [
        "floeplan import 'sales.*' -e prod",
        "floeplan import sales.orders --update",
        "floeplan import sales.orders --local ./warehouse > orders.yaml",
      ],
      arguments: (parsed): ImportArguments => ({ ...parsed, comments: parsed.comments ?? "iceberg" }),
    },
    () => import("../commands/import.ts"),
  ),
  command(
    {
      name: "validate",
      summary: "Check the files without touching a catalog",
      options: { ...SELECTION_OPTIONS, fix: { kind: "flag", summary: "Mend what has one mend" } },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: ["floeplan validate", "floeplan validate tables/sales --fix"],
      arguments: (parsed): ValidateArguments => parsed,
    },
    () => import("../commands/validate.ts"),
  ),
  command(
    {
      name: "fmt",
      summary: "Bring the files into their usual form",
      options: {
        ...SELECTION_OPTIONS,
        check: { kind: "flag", summary: "Change nothing; exit code 1 where something would change" },
        prune: { kind: "flag", summary: "Take out hints that are done in every environment" },
      },
      operand: SELECTORS,
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan fmt --check"],
      arguments: (parsed): FmtArguments => parsed,
    },
    () => import("../commands/fmt.ts"),
  ),
  command(
    {
      name: "plan",
      summary: "Show the steps from the live tables to the declared ones",
      options: {
        ...SELECTION_OPTIONS,
        exitCode: { kind: "flag", summary: "Exit code 2 where changes or drift exist" },
        preflight: { kind: "flag", summary: "Also read the values of converted columns and count those that fail" },
        noEvidence: { kind: "flag", summary: "Do not read manifests: faster, and less is proved" },
        ddl: { ...DDL, summary: "Print what a person would type for the steps, or why nothing does it" },
      },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: [
        "floeplan plan -e prod",
        "floeplan plan -e prod 'sales.*' --out plan.json",
        "floeplan plan --changed=main --exit-code",
      ],
      arguments: ({ noEvidence, ...parsed }): PlanArguments => ({ ...parsed, evidence: !noEvidence }),
    },
    () => import("../commands/plan.ts"),
  ),
  command(
    {
      name: "apply",
      summary: "Plan again and carry the plan out",
      options: {
        ...SELECTION_OPTIONS,
        yes: { ...YES, summary: "Do not ask; steps that rewrite or lose data are still refused" },
        plan: { kind: "value", placeholder: "FILE", summary: "Approve the steps of this reviewed plan file" },
        approve: { kind: "list", commas: true, placeholder: "ID[,ID]", summary: "Approve steps, or a plan, by 8 digits or more" },
        dryRun: { kind: "flag", summary: "Do everything but the commit: the table stays as it is" },
        reason: REASON,
      },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      examples: [
        "floeplan apply -e dev",
        "floeplan apply -e prod sales.orders --approve c40e7718",
        "floeplan apply -e prod --plan plan.json",
      ],
      arguments: (parsed): ApplyArguments => parsed,
    },
    () => import("../commands/apply.ts"),
  ),
  command(
    {
      name: "status",
      summary: "Show how each table stands in each environment",
      options: {
        ...SELECTION_OPTIONS,
        env: { kind: "value", short: "e", placeholder: "ENV", summary: "Only this environment (default: all)" },
        exitCode: { kind: "flag", summary: "Exit code 2 where changes or drift exist" },
      },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: ["floeplan status", "floeplan status 'sales.*' -e prod --exit-code"],
      arguments: (parsed): StatusArguments => parsed,
    },
    () => import("../commands/status.ts"),
  ),
  command(
    {
      name: "doctor",
      summary: "Try what an environment needs, read-only, and tell what is missing",
      options: {
        ...PROJECT_OPTIONS,
        env: { kind: "value", short: "e", placeholder: "ENV", summary: "Only this environment (default: all)" },
      },
      operand: null,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: ["floeplan doctor", "floeplan doctor -e prod"],
      arguments: (parsed): ProjectArguments => parsed,
    },
    () => import("../commands/doctor.ts"),
  ),
  command(
    {
      name: "drift",
      summary: "Show what is live and in no file: who brought it, and the three answers",
      options: {
        ...SELECTION_OPTIONS,
        exitCode: { kind: "flag", summary: "Exit code 2 where drift exists" },
        unmanagedTables: { kind: "flag", summary: "List the tables that no file declares, and count them as drift" },
      },
      operand: SELECTORS,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: ["floeplan drift -e prod --exit-code", "floeplan drift 'sales.*' --unmanaged-tables"],
      arguments: (parsed): DriftArguments => parsed,
    },
    () => import("../commands/drift.ts"),
  ),
  command(
    {
      name: "show",
      summary: "Show a live table: schema with field ids, partitions, sort order, properties",
      options: {
        ...PROJECT_OPTIONS,
        ...BARE_CATALOG_OPTIONS,
        rows: { kind: "number", placeholder: "N", summary: "Print the first N rows (default: 5; 0: none)" },
        ddl: { ...DDL, summary: "Print the statements that would make such a table, and what they cannot say of it" },
      },
      operand: TABLE,
      formats: ["terminal", "markdown", "json"],
      interrupt: "at-once",
      examples: [
        "floeplan show sales.orders -e prod",
        "floeplan show sales.orders --glue eu-west-1",
        "floeplan show sales.orders --ddl athena",
      ],
      arguments: (parsed): ShowArguments => ({ ...parsed, rows: parsed.rows ?? 5 }),
    },
    () => import("../commands/show.ts"),
  ),
  tableChange(
    {
      name: "rollback",
      summary: "Put a table back before its last conversion, schema and data, and hold it",
      examples: ["floeplan rollback sales.orders -e prod --reason 'wrong format'"],
    },
    () => import("../commands/rollback.ts"),
  ),
  tableChange(
    {
      name: "release",
      summary: "Let a held table be applied again",
      examples: ["floeplan release sales.orders -e prod"],
    },
    () => import("../commands/release.ts"),
  ),
  tableChange(
    {
      name: "abort",
      summary: "End an interrupted conversion and delete the files that its journal names",
      examples: ["floeplan abort sales.orders -e prod"],
    },
    () => import("../commands/abort.ts"),
  ),
  command(
    {
      name: "explain",
      summary: "Explain a diagnostic's code, a key of the files, or a word of a plan",
      options: {},
      operand: {
        key: "word",
        placeholder: "CODE | KEY | WORD",
        count: "one",
        summary: "E.g. field-dropped-unacknowledged, renamed-from, or drift",
      },
      formats: ["terminal"],
      interrupt: "at-once",
      examples: ["floeplan explain rename-ambiguous"],
      arguments: (parsed): ExplainArguments => parsed,
    },
    () => import("../commands/explain.ts"),
  ),
];
