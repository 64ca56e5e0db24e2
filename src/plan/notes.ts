// What a person should know although nothing has to be done: undeclared things left alone, hints that are done,
// what readers and engines will notice. Never a step, never a blocker.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { OWN_PREFIX } from "./base.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { TablePair } from "./table-pair.ts";

type NoteFinder = (pair: TablePair, steps: readonly PlannedStep[]) => readonly Diagnostic[];

const unmanagedFields: NoteFinder = ({ spec, pair }) => {
  const paths = (pair?.undeclared ?? []).filter((one) => one.verdict === "unmanaged").map((one) => one.node.path);
  if (paths.length === 0) return [];
  return [
    diagnostic("unmanaged-fields", {
      what: `${paths.length === 1 ? "1 live column is" : `${paths.length} live columns are`} seen and left alone`,
      why: `\`unmanaged:\` covers ${paths.map((path) => `"${path}"`).join(", ")}`,
      table: spec.name,
    }),
  ];
};

const firstMemory: NoteFinder = ({ spec, pair }, steps) => {
  if (pair === null || !spec.remember || steps.length === 0) return [];
  if (Object.keys(pair.metadata.properties).some((key) => key.startsWith(OWN_PREFIX))) return [];
  return [
    diagnostic("first-memory", {
      what: `"${spec.name}" gets its first ${OWN_PREFIX}* properties with this change`,
      why: "floeplan remembers in the table what it applied; Athena answers UNSUPPORTED to SHOW CREATE TABLE on a table with properties that it does not know",
      mend: "To do without that memory: `remember: false` in the table file or in floeplan.yaml",
      table: spec.name,
    }),
  ];
};

const rewriteReaders: NoteFinder = ({ spec }, steps) => {
  if (!steps.some((step) => step.effect === "rewrite")) return [];
  return [
    diagnostic("rewrite-readers", {
      what: `Readers and writers of "${spec.name}" notice the rewrite`,
      why: "streaming and incremental readers stop at an overwrite snapshot unless told to skip it; a writer that still sends the old type fails (Spark) or writes null until it is redeployed with a cast",
      mend: "Stop or redeploy the writers of the converted columns around the apply; the old state stays under a tag",
      table: spec.name,
    }),
  ];
};

const FINDERS: readonly NoteFinder[] = [unmanagedFields, firstMemory, rewriteReaders];

export function findNotes(pair: TablePair, steps: readonly PlannedStep[]): readonly Diagnostic[] {
  return FINDERS.flatMap((find) => find(pair, steps));
}
