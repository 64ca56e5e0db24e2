// fast-check for all tests: in CI with the same seed each time, so that a run that was green is green again; elsewhere with
// a new one. FLOEPLAN_SEED=N repeats a run that failed. A property takes the first third of the runs that it asks for, but
// one with a seed of its own takes all; FLOEPLAN_LONG=1 and FLOEPLAN_RUNS=N take all everywhere.
import fc, { type Parameters } from "../node_modules/fast-check/lib/fast-check.js";
import { IS_LONG } from "./long.ts";

const CI_SEED = 20_261_130;
const asked = process.env["FLOEPLAN_SEED"];
const seed = asked !== undefined ? Number(asked) : (process.env["CI"] ?? "") === "" ? undefined : CI_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

const PART = IS_LONG || process.env["FLOEPLAN_RUNS"] !== undefined ? 1 : 1 / 3;
const RUNS_OF_THE_LIBRARY = 100;

// Of both kinds of properties, as the library's own.
const assert = ((property: unknown, { numRuns = RUNS_OF_THE_LIBRARY, ...parameters }: Parameters = {}): unknown =>
  (fc.assert as (property: unknown, parameters: Parameters) => unknown)(property, {
    ...parameters,
    numRuns: parameters.seed === undefined ? Math.ceil(numRuns * PART) : numRuns,
  })) as typeof fc.assert;

export default { ...fc, assert };
export * from "../node_modules/fast-check/lib/fast-check.js";
