// The record of a plan in a check run: which steps of which tables were shown, by id. Written and read here alone;
// apply believes it, so nothing is read that is not exactly of this form. Pure.
import { EFFECTS, type Effect, type Plan } from "../plan/plan.ts";

export interface PlanRecord {
  readonly environment: string;
  /** Of the plan, 64 hex. */
  readonly fingerprint: string;
  /** Equal where two environments get the same steps, ids apart. */
  readonly agreement: string;
  /** By table: step id, 64 hex → effect. Blocked tables are not in it. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Effect>>;
}

const OPENING = "```json\n";
const CLOSING = "\n```";
const INTRODUCTION = "What this plan showed, for the apply after the merge. Written by floeplan.\n\n";

export function recordOf(plan: Plan, agreement: string): PlanRecord {
  const tables = plan.tables
    .filter((table) => table.blockers.length === 0 && table.steps.length > 0)
    .map(({ table, steps }) => [table, new Map(steps.map(({ id, effect }) => [id, effect]))] as const);
  return { environment: plan.environment, fingerprint: plan.fingerprint, agreement, tables: new Map(tables) };
}

/** Steps of effect metadata need no record: without them it may fit where the whole does not. */
export function withoutMild(record: PlanRecord): PlanRecord {
  const tables = [...record.tables].map(
    ([table, steps]) => [table, new Map([...steps].filter(([, effect]) => effect !== "metadata"))] as const,
  );
  return { ...record, tables: new Map(tables) };
}

export function writeRecord(record: PlanRecord): string {
  const tables = [...record.tables].map(([table, steps]) => [
    table,
    ...[...steps].map(([id, effect]) => `${effect.charAt(0)}${Buffer.from(id, "hex").toString("base64url")}`),
  ]);
  const { environment, fingerprint, agreement } = record;
  return `${INTRODUCTION}${OPENING}${plainJson({ floeplan: 1, environment, fingerprint, agreement, tables })}${CLOSING}`;
}

/** Null: it is none, or not whole. */
export function readRecord(text: string | null): PlanRecord | null {
  const start = text?.indexOf(OPENING) ?? -1;
  if (text === null || start < 0 || !text.trimEnd().endsWith(CLOSING)) return null;
  let read: unknown;
  try {
    read = JSON.parse(text.slice(start + OPENING.length, text.lastIndexOf(CLOSING)));
  } catch {
    return null;
  }
  if (!isObject(read) || read["floeplan"] !== 1) return null;
  const { environment, fingerprint, agreement, tables } = read;
  if (typeof environment !== "string" || typeof fingerprint !== "string" || typeof agreement !== "string") return null;
  if (!Array.isArray(tables)) return null;
  const found = new Map<string, ReadonlyMap<string, Effect>>();
  for (const row of tables as readonly unknown[]) {
    const table = readTable(row);
    if (table === null || found.has(table.name)) return null;
    found.set(table.name, table.steps);
  }
  return { environment, fingerprint, agreement, tables: found };
}

function readTable(row: unknown): { readonly name: string; readonly steps: ReadonlyMap<string, Effect> } | null {
  if (!Array.isArray(row)) return null;
  const [name, ...words] = row as readonly unknown[];
  if (typeof name !== "string") return null;
  const steps = new Map<string, Effect>();
  for (const word of words) {
    const [, letter, code] = /^([a-z])([A-Za-z0-9_-]{43})$/.exec(typeof word === "string" ? word : "") ?? [];
    const effect = EFFECTS.find((one) => one.charAt(0) === letter);
    if (effect === undefined || code === undefined) return null;
    steps.set(Buffer.from(code, "base64url").toString("hex"), effect);
  }
  return { name, steps };
}

/** JSON in which nothing can end a fence, form markup or hide. */
function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]|[`<>&@#]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
