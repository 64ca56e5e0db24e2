// Reads a plan file for `apply --plan`: which steps somebody reviewed, and nothing that could be carried out. The
// file is another person's text: what is not exactly right is a diagnostic. Keys that are not known are left alone.
import { diagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { PLAN_JSON_VERSION } from "./plan-json.ts";

interface ReviewedTable {
  readonly table: string;
  /** 64 hex. */
  readonly fingerprint: string;
  readonly steps: readonly { readonly id: string }[];
}

export interface ReviewedPlan {
  readonly environment: string;
  readonly planFingerprint: string;
  readonly tables: readonly ReviewedTable[];
}

/** `file` is what messages call it. */
export function readPlanJson(text: string, file: string): ReviewedPlan | Diagnostic {
  let document: unknown;
  try {
    // A byte order mark is what some editors and shells put first.
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return invalid(file, `it is not JSON (${error instanceof Error ? error.message : "unknown reason"})`);
  }
  try {
    return readPlan(document, file);
  } catch (error) {
    if (error instanceof NotAPlan) return invalid(file, error.message);
    throw error;
  }
}

/** Stays inside this file: the way out of nested reading. */
class NotAPlan extends Error {}

function invalid(file: string, why: string): Diagnostic {
  return diagnostic("plan-file-invalid", {
    what: `Cannot read "${file}" as a plan`,
    why,
    mend: "Write it again with `floeplan plan --out plan.json`",
  });
}

function readPlan(document: unknown, file: string): ReviewedPlan | Diagnostic {
  const plan = object(document, "the document");
  const version = plan["floeplan"];
  if (version !== PLAN_JSON_VERSION) {
    return invalid(file, `\`floeplan\` must be ${PLAN_JSON_VERSION}; it is ${shown(version)}`);
  }
  const tables = list(plan["tables"], "tables").map(readTable);
  const names = new Set<string>();
  for (const { table } of tables) {
    if (names.has(table)) throw new NotAPlan(`table "${table}" is in it twice`);
    names.add(table);
  }
  return {
    environment: string(plan["environment"], "environment"),
    planFingerprint: hash(plan["fingerprint"], "fingerprint"),
    tables,
  };
}

function readTable(value: unknown, index: number): ReviewedTable {
  const at = `tables[${index}]`;
  const table = object(value, at);
  return {
    table: string(table["table"], `${at}.table`),
    fingerprint: hash(table["fingerprint"], `${at}.fingerprint`),
    steps: list(table["steps"], `${at}.steps`).map((step, position) => {
      const where = `${at}.steps[${position}]`;
      return { id: hash(object(step, where)["id"], `${where}.id`) };
    }),
  };
}

function object(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new NotAPlan(`${at} must be an object`);
  return Object.fromEntries(Object.entries(value));
}

function list(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new NotAPlan(`\`${at}\` must be a list`);
  return value;
}

function string(value: unknown, at: string): string {
  if (typeof value !== "string" || value === "") throw new NotAPlan(`\`${at}\` must be a name; it is ${shown(value)}`);
  return value;
}

function hash(value: unknown, at: string): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) {
    throw new NotAPlan(`\`${at}\` must be 64 hexadecimal digits; it is ${shown(value)}`);
  }
  return value;
}

/** What is nested is named and not printed: it may be deeper than the stack. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return `"${value.slice(0, 80)}"`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return JSON.stringify(value) ?? typeof value;
}
