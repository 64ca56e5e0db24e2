// Identities that people approve: step ids, table and plan fingerprints. They cover what is meant, never what
// will be assigned nor anything undeclared: appends and other people's columns do not make a plan stale.
import { createHash } from "node:crypto";
import type { JsonValue } from "../iceberg/json.ts";
import { canonicalJson } from "../iceberg/json-write.ts";

/** Hex digits of an id that people see and type. */
export const SHORT_ID_DIGITS = 8;

export interface StepIdentity {
  /** The table's uuid, or catalog and identifier of a table that is to be made. */
  readonly table: JsonValue;
  readonly kind: string;
  readonly path: string | null;
  /** Existing field id; null for what is new. */
  readonly fieldId: number | null;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

export function stepId(identity: StepIdentity): string {
  return sha256({ ...identity });
}

export function tableFingerprint(stepIds: readonly string[]): string {
  return sha256(stepIds);
}

export function planFingerprint(tables: readonly { readonly table: string; readonly fingerprint: string }[]): string {
  const sorted = tables
    .map(({ table, fingerprint }) => [table, fingerprint])
    .sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
  return sha256(sorted);
}

export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_DIGITS);
}

function sha256(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
