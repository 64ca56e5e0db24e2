// The commands of the Action: a new one is a file here and a line below.
import type { ActionContext } from "../context.ts";
import type { ActionCommand } from "../inputs.ts";
import type { ActionResult } from "../result.ts";

interface Flow {
  readonly run: (context: ActionContext) => Promise<ActionResult>;
}

/** Loaded on demand: validate needs no catalog and no forge. */
export const FLOWS: Readonly<Record<ActionCommand, () => Promise<Flow>>> = {
  validate: async () => await import("./validate.ts"),
  plan: async () => await import("./plan.ts"),
  apply: async () => await import("./apply.ts"),
  drift: async () => await import("./drift.ts"),
  import: async () => await import("./import.ts"),
};
