// What a person should know although nothing has to be done: undeclared things left alone, hints that are done,
// what readers and engines will notice. Never a step, never a blocker.
import { LOSS_TEXT } from "../conversion/words.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { MAIN_BRANCH } from "../iceberg/snapshot.ts";
import { renameWarnings } from "./rename-warnings.ts";
import { OWN_PREFIX } from "./base.ts";
import { touchesValues } from "./plan.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { TablePair } from "./table-pair.ts";
import { plural } from "../diagnostics/number-words.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";

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

const firstMemory: NoteFinder = ({ spec, pair, catalog }, steps) => {
  if (pair === null || !spec.remember || steps.length === 0 || !catalog.seenByAthena) return [];
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
      why: "Streaming and incremental readers stop at an overwrite snapshot unless told to skip it; a writer that still sends the old type fails (Spark) or writes null until it is redeployed with a cast",
      mend: `Stop or redeploy the writers of the converted columns around the apply; ${typedCommand("plan --ddl spark", spec.name, spec.environment)} prints what they send then; the old state stays under a tag`,
      table: spec.name,
    }),
  ];
};

/** A branch is read with the table's schema, a tag with that of its snapshot: so a drop reaches every branch and no tag. */
const refReaders: NoteFinder = ({ spec, pair }, steps) => {
  const paths = steps.flatMap(({ effect, field }) => (touchesValues(effect) && field !== null ? [`"${field.path}"`] : []));
  if (pair === null || paths.length === 0) return [];
  const refs = Object.entries(pair.metadata.refs).filter(([name]) => name !== MAIN_BRANCH);
  const [branches, tags] = (["branch", "tag"] as const).map((type) =>
    refs.filter(([, ref]) => ref.type === type).map(([name]) => `"${name}"`),
  );
  if (branches === undefined || tags === undefined || refs.length === 0) return [];
  const columns = paths.join(", ");
  const reach = [
    branches.length === 0 ? [] : [`branches are read with the table's schema (${branches.join(", ")})`],
    tags.length === 0 ? [] : [`tags are read with the schema of their snapshots (${tags.join(", ")})`],
  ].flat();
  return [
    diagnostic("ref-readers", {
      what:
        branches.length > 0
          ? `Readers of other branches of "${spec.name}" lose ${columns} as well`
          : `Readers of tags of "${spec.name}" still see ${columns} as before`,
      why: reach.join("; "),
      mend:
        branches.length > 0
          ? "Tell the readers of these branches, or merge or drop the branches first"
          : "Nothing, if that is meant; drop the tags and expire their snapshots where the values must go",
      table: spec.name,
    }),
  ];
};

/** What values lose, with counts: known only where a preflight read them. */
const losses: NoteFinder = ({ spec, preflight }, steps) =>
  steps.flatMap((step) => {
    const counts = step.field?.id === null || step.field === null ? undefined : preflight?.get(step.field.id);
    const lost = [...(counts?.losses ?? [])].filter(([, count]) => count > 0n);
    if (step.effect !== "rewrite" || step.field === null || lost.length === 0) return [];
    return [
      diagnostic("conversion-loses", {
        what: `Values of "${step.field.path}" convert and lose something`,
        why: lost.map(([loss, count]) => `${plural(count, "value loses", "values lose")} ${LOSS_TEXT[loss]}`).join(", "),
        mend: "Nothing, if that is meant; else keep the column as text",
        table: spec.name,
        field: step.field.path,
        ...(step.place === null ? {} : { place: step.place }),
      }),
    ];
  });

const FINDERS: readonly NoteFinder[] = [renameWarnings, unmanagedFields, firstMemory, losses, refReaders, rewriteReaders];

export function findNotes(pair: TablePair, steps: readonly PlannedStep[]): readonly Diagnostic[] {
  return FINDERS.flatMap((find) => find(pair, steps));
}
