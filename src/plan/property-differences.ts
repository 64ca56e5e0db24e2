// Which table properties, or parameters of the catalog's own entry, differ from what is declared. Partial ownership:
// only declared keys are ours, and keys that floeplan set before and nobody declares any more. Pure; the steps word
// what this finds.
import type { Placed, TableSpec } from "../desired/table-spec.ts";
import type { Place } from "../diagnostics/diagnostic.ts";
import { OWN_PREFIX } from "./base.ts";
import type { TablePair } from "./table-pair.ts";

export type PropertyDifference =
  | { readonly kind: "set"; readonly key: string; readonly before: string | null; readonly after: string; readonly place: Place }
  | { readonly kind: "remove"; readonly key: string; readonly before: string; readonly place: Place | null }
  /** The base knows the key, and both Git and somebody else changed it. */
  | {
      readonly kind: "conflict";
      readonly key: string;
      readonly base: string;
      readonly live: string | null;
      readonly declared: string | null;
      readonly place: Place;
    }
  /** floeplan set it once, Git no longer declares it, and somebody else changed it since: left alone. */
  | { readonly kind: "foreign"; readonly key: string; readonly base: string; readonly live: string };

export function propertyDifferences({ pair: live, spec }: TablePair): readonly PropertyDifference[] {
  return live === null ? [] : differences(spec.properties, live.metadata.properties, live.base?.properties ?? {});
}

/** None where the catalog has no parameters of its own. */
export function glueParameterDifferences({ pair: live, spec, catalogState }: TablePair): readonly PropertyDifference[] {
  if (live === null || catalogState === undefined || catalogState.parameters === null) return [];
  return differences(spec.glueParameters, catalogState.parameters, live.base?.glueParameters ?? {});
}

type Texts = Readonly<Record<string, string>>;

function differences(declared: TableSpec["properties"], now: Texts, before: Texts): readonly PropertyDifference[] {
  const found: PropertyDifference[] = [];
  for (const [key, wanted] of [...declared].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const difference = declaredDifference(key, wanted, own(now, key), own(before, key));
    if (difference !== null) found.push(difference);
  }
  for (const key of Object.keys(before).sort()) {
    if (declared.has(key) || key.startsWith(OWN_PREFIX)) continue;
    const value = own(now, key);
    const base = own(before, key) ?? "";
    if (value === undefined) continue;
    found.push(
      value === base ? { kind: "remove", key, before: value, place: null } : { kind: "foreign", key, base, live: value },
    );
  }
  return found;
}

function declaredDifference(
  key: string,
  declared: Placed<string | null>,
  live: string | undefined,
  base: string | undefined,
): PropertyDifference | null {
  const { value, place } = declared;
  if ((live ?? null) === value) return null;
  const foreignChange = base !== undefined && live !== base;
  const gitChange = base !== undefined && value !== base;
  if (foreignChange && gitChange) return { kind: "conflict", key, base, live: live ?? null, declared: value, place };
  if (value === null) return live === undefined ? null : { kind: "remove", key, before: live, place };
  return { kind: "set", key, before: live ?? null, after: value, place };
}

function own(map: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
