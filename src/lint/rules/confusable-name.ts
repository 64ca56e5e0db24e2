// Names that deceive the eye: two that cannot be told apart, and single ones that are not what they look like. A
// reviewer approves what is shown; a query meets what is stored. Singular and plural, or other case, are seen.
import { formatPath, isPathError, parsePath } from "../../iceberg/field-path.ts";
import type { TableSpec } from "../../desired/table-spec.ts";
import { formatPlace, type Place } from "../../diagnostics/diagnostic.ts";
import { structsOf } from "../declared-fields.ts";
import { deceptionOf } from "../deceptive-name.ts";
import type { Finding, LintRule } from "../rule.ts";
import { type Script, SCRIPTS } from "../scripts.ts";
import { skeletonOf } from "../skeleton.ts";
import { quoted } from "../words.ts";

/** A name beside others of one struct or one namespace. */
interface Named {
  readonly kind: string;
  readonly name: string;
  /** As the finding prints it. */
  readonly shown: string;
  readonly place: Place;
  readonly told: Pick<Finding, "table" | "field">;
}

export const CONFUSABLE_NAME: LintRule = {
  name: "confusable-name",
  level: "warning",
  prepare: (options) => {
    const scripts = options.someOf("scripts", SCRIPTS);
    return (specs) => [...groupsOf(specs)].flatMap((group) => findingsOf(group, scripts));
  },
};

function* groupsOf(specs: readonly TableSpec[]): Iterable<readonly Named[]> {
  yield* levelsOfNames(specs);
  for (const spec of specs) {
    for (const siblings of structsOf(spec))
      yield siblings.map(({ kind, field, place, told }) => ({ kind, name: field.name, shown: told.field, place, told }));
    yield (spec.partitionBy ?? []).flatMap(({ name, place }) =>
      name === null ? [] : [{ kind: "Partition field", name, shown: name, place, told: { table: spec.name } }],
    );
  }
}

/** Tables and namespaces of one catalog, by what they stand in. Each name once, at the first table that has it. */
function levelsOfNames(specs: readonly TableSpec[]): Iterable<readonly Named[]> {
  const levels = new Map<string, Map<string, Named>>();
  for (const spec of specs) {
    const path = parsePath(spec.name);
    if (isPathError(path)) continue;
    for (const [depth, name] of path.entries()) {
      const above = JSON.stringify([spec.environment, spec.catalog, path.slice(0, depth)]);
      const level = levels.get(above) ?? new Map<string, Named>();
      levels.set(above, level);
      const isTable = depth === path.length - 1;
      const shown = isTable ? spec.name : formatPath(path.slice(0, depth + 1));
      const kind = isTable ? "Table" : "Namespace";
      // A namespace and a table of one name are two names.
      const key = `${kind} ${name}`;
      if (!level.has(key)) level.set(key, { kind, name, shown, place: spec.place, told: { table: spec.name } });
    }
  }
  return [...levels.values()].map((level) => [...level.values()]);
}

function findingsOf(group: readonly Named[], scripts: readonly Script[]): readonly Finding[] {
  const seen = new Map<string, Named>();
  return group.flatMap((one): readonly Finding[] => {
    const skeleton = skeletonOf(one.name);
    const twin = seen.get(skeleton);
    if (twin === undefined) seen.set(skeleton, one);
    if (twin !== undefined && twin.name !== one.name) return [twins(twin, one)];
    const deception = deceptionOf(one.name, scripts);
    if (deception === null) return [];
    return [{ ...deception, what: `${one.kind} ${quoted(one.shown)} ${deception.what}`, place: one.place, ...one.told }];
  });
}

/** Told at the name that is less plain: a line of a shared group is not to blame for a table's own column. */
function twins(first: Named, second: Named): Finding {
  const [other, one] = isPlainer(second, first) ? [second, first] : [first, second];
  return {
    what: `${one.kind} ${quoted(one.shown)} cannot be told from ${quoted(other.shown)} by eye`,
    why: `${quoted(other.shown)} stands at ${formatPlace(other.place)}`,
    mend: "Give one of them a name that looks different",
    place: one.place,
    ...one.told,
  };
}

function isPlainer(a: Named, b: Named): boolean {
  const rank = ({ name, told }: Named): number => (/^[\x20-\x7E]*$/.test(name) ? 0 : 2) + (told.table === undefined ? 0 : 1);
  return rank(a) < rank(b);
}
