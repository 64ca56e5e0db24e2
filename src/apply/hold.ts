// The hold that a rollback leaves: the table is planned but not applied while its plan is the one that was
// rolled back. Another declaration, or `release`, ends it.
import { isJsonObject } from "../iceberg/json.ts";
import { parseJson } from "../iceberg/json-parse.ts";
import { canonicalJson } from "../iceberg/json-write.ts";
import { HOLD_KEY } from "../plan/base.ts";
import type { TablePlan } from "../plan/plan.ts";

export interface Hold {
  /** Fingerprint of the plan that is held back. */
  readonly plan: string | null;
  readonly since: string | null;
  readonly reason: string | null;
}

export function readHold(properties: Readonly<Record<string, string>>): Hold | null {
  const text = properties[HOLD_KEY];
  if (text === undefined) return null;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return { plan: null, since: null, reason: null };
    const part = (key: string): string | null => (typeof value[key] === "string" ? value[key] : null);
    return { plan: part("plan"), since: part("since"), reason: part("reason") };
  } catch {
    return { plan: null, since: null, reason: null };
  }
}

export function holdProperty(hold: Hold): readonly [string, string] {
  return [HOLD_KEY, canonicalJson({ plan: hold.plan, since: hold.since, reason: hold.reason })];
}

/** The hold that keeps this plan from being applied, or null. One that does not say which plan holds every plan with steps. */
export function holdOf(
  { steps, fingerprint }: Pick<TablePlan, "steps" | "fingerprint">,
  properties: Readonly<Record<string, string>>,
): Hold | null {
  const hold = steps.length === 0 ? null : readHold(properties);
  return hold !== null && (hold.plan === null || hold.plan === fingerprint) ? hold : null;
}
