// The names of our check runs, and what their external ids say. Pure.
import { shortId } from "../plan/fingerprint.ts";
import { projectSuffix, type ActionContext } from "./context.ts";

type Named = Pick<ActionContext, "inputs">;

/** `floeplan (prod)`: what a rule of the branch may ask for. */
export function planCheckName(context: Named, environment: string): string {
  return `floeplan (${environment}${projectSuffix(context)})`;
}

export function applyCheckName(context: Named, environment: string): string {
  return `floeplan apply (${environment}${projectSuffix(context)})`;
}

export function externalId({ runner }: Pick<ActionContext, "runner">, fingerprint: string): string {
  return `${runner.runId}.${runner.attempt}:${shortId(fingerprint)}`;
}

export interface MadeBy {
  readonly runId: string;
  readonly fingerprint: string;
}

export function madeBy(external: string | null): MadeBy | null {
  const [, runId, fingerprint] = /^(\d{1,20})\.\d{1,10}:([0-9a-f]{8})$/.exec(external ?? "") ?? [];
  return runId === undefined || fingerprint === undefined ? null : { runId, fingerprint };
}
