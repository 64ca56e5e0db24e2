// Plays a change on the live metadata in memory: what comes out must be the declaration, exactly, or the table
// is blocked with the difference. Also tells which field ids are the declared ones afterwards. Pure.
import { inStep } from "./catalog-differences.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import type { CatalogState } from "../iceberg/catalog-state.ts";
import { writeJson } from "../iceberg/json-write.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableUpdate } from "../iceberg/table-update.ts";
import type { TableChange } from "./table-change.ts";
import { makePair } from "./make-pair.ts";
import { allMatches } from "./match-fields.ts";
import { isDiagnostic } from "./planned-step.ts";
import { STEP_KINDS } from "./steps/index.ts";
import type { PlanInput, TablePair } from "./table-pair.ts";

/** Stand-ins for what only apply knows; nothing in a comparison depends on them. */
const SIMULATED_UUID = "00000000-0000-0000-0000-000000000000";
const SIMULATED_LOCATION = "memory://simulated";

export interface Simulation {
  /** Null when the format refuses the updates. */
  readonly after: TableMetadata | null;
  /** Empty when the change ends exactly at the declaration. */
  readonly problems: readonly Diagnostic[];
}

export function simulate(input: PlanInput, change: TableChange): Simulation {
  const { spec } = input;
  let after: TableMetadata;
  try {
    after = applied(input, change.updates);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const problem = diagnostic("format-refuses", {
      what: `Cannot change "${spec.name}" as declared`,
      why: error.why === undefined ? error.message : `${error.message}: ${error.why}`,
      mend: error.mend ?? "Change the declaration; the steps of the plan say what was understood",
      place: spec.place,
      table: spec.name,
    });
    return { after: null, problems: [problem] };
  }
  const left = remaining(input, change, after);
  if (left.length === 0) return { after, problems: [] };
  const problem = diagnostic("simulation-differs", {
    what: `Cannot trust the plan of "${spec.name}": its steps do not end at the declaration`,
    why: `After them the plan would still hold: ${left.join("; ")}`,
    mend: "This is a defect of floeplan: nothing is applied. Report it with the table's schema and its file",
    place: spec.place,
    table: spec.name,
  });
  return { after, problems: [problem] };
}

/** Field ids of the declared fields, nested ones too, in a table that is in step. */
export function declaredFieldIds(pair: TablePair): ReadonlySet<number> {
  const level = pair.pair?.level;
  return new Set(level === undefined ? [] : [...allMatches(level)].flatMap(({ live }) => (live === null ? [] : [live.id])));
}

/** The live table as it would be after the change. */
export function simulatedPair(input: PlanInput, change: TableChange): TablePair {
  return pairAfter(input, change, applied(input, change.updates));
}

function applied({ live, spec }: PlanInput, updates: readonly TableUpdate[]): TableMetadata {
  const base = live?.metadata ?? null;
  const first: readonly TableUpdate[] =
    base === null
      ? [
          { action: "assign-uuid", uuid: SIMULATED_UUID },
          { action: "set-location", location: spec.location ?? SIMULATED_LOCATION },
        ]
      : [];
  return applyUpdates(base, [...first, ...updates], { nowMs: base?.lastUpdatedMs ?? 0, previousMetadataLocation: null });
}

function pairAfter(input: PlanInput, change: TableChange, metadata: TableMetadata): TablePair {
  const live: LiveTable = {
    identifier: input.spec.identifier,
    metadataLocation: input.live?.metadataLocation ?? SIMULATED_LOCATION,
    token: null,
    ...input.live,
    metadata,
  };
  const catalogState = input.catalogState === undefined ? {} : { catalogState: stateAfter(input.catalogState, change) };
  return makePair({ ...input, ...catalogState, live, preflight: null }).pair;
}

function stateAfter(state: CatalogState, { catalogParameters }: TableChange): CatalogState {
  if (state.parameters === null) return inStep(state);
  const parameters = { ...state.parameters };
  for (const [key, value] of catalogParameters) {
    if (value === null) delete parameters[key];
    else parameters[key] = value;
  }
  return inStep({ ...state, parameters });
}

/** Steps and blockers of the declaration against the simulated table; evidence speaks of the data before, so proofs are not asked again. */
function remaining(input: PlanInput, change: TableChange, after: TableMetadata): string[] {
  const pair = pairAfter(input, change, after);
  return STEP_KINDS.flatMap((kind) =>
    kind
      .detect(pair)
      .map((found) => (isDiagnostic(found) ? found.what : `${found.kind} ${found.field?.path ?? writeJson(found.after)}`)),
  );
}
