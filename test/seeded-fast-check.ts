// fast-check for all tests: in CI with the same seed each time, so that a run that was green is green again; elsewhere with
// a new one. FLOEPLAN_SEED=N repeats a run that failed.
import fc from "../node_modules/fast-check/lib/fast-check.js";

const CI_SEED = 20_261_130;
const asked = process.env["FLOEPLAN_SEED"];
const seed = asked !== undefined ? Number(asked) : (process.env["CI"] ?? "") === "" ? undefined : CI_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

export { default } from "../node_modules/fast-check/lib/fast-check.js";
export * from "../node_modules/fast-check/lib/fast-check.js";
