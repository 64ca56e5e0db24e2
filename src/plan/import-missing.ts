// The live fields that a declaration lacks, each as a table file says it, with the sibling that it stands behind.
// Pure. Only drift: what floeplan applied and Git took out is a drop, and what is unmanaged stays so.
import type { DeclaredField, DeclaredType, TableSpec } from "../desired/table-spec.ts";
import type { WrittenField } from "../desired/written-table.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { currentSchema } from "../iceberg/table-metadata.ts";
import { fieldsReading, importField, type LeftOut, type Pins } from "./import-fields.ts";
import { allLevels, standingId } from "./match-fields.ts";
import type { LevelMatch } from "./match.ts";
import { splitPath } from "./split-path.ts";
import type { TablePair } from "./table-pair.ts";

/** Declared names; `group` where a shared group brings the sibling. */
export type Behind = { readonly name: string; readonly group: string | null } | "first";

export interface MissingField {
  /** Live path. */
  readonly path: string;
  /** Declared path of the struct that it belongs to; empty for a column. */
  readonly parent: readonly string[];
  readonly behind: Behind;
  readonly field: WrittenField;
}

export interface MissingFields {
  /** In live order, a struct's before those of what is inside it. */
  readonly fields: readonly MissingField[];
  /** Fields that have no place in the file, or cannot be declared. */
  readonly leftOut: readonly LeftOut[];
  /** Fields that are declared without their default. */
  readonly defaults: readonly LeftOut[];
}

export function missingFields(pair: TablePair, pins: Pins): MissingFields {
  const live = pair.pair;
  if (live === null) return { fields: [], leftOut: [], defaults: [] };
  const drifted = new Set(live.undeclared.filter((one) => one.verdict === "drift").map((one) => one.node.id));
  const index = indexSchema(currentSchema(live.metadata));
  const reading = fieldsReading(pins);
  const leftOut: LeftOut[] = [];
  const fields = [...allLevels(live.level)].flatMap((level) => {
    if (!level.undeclared.some((node) => drifted.has(node.id))) return [];
    const places = placesIn(level, pair.spec);
    return level.undeclared.flatMap((node): MissingField[] => {
      const found = index.byId(node.id)?.field ?? null;
      const behind = places.get(node.id);
      if (!drifted.has(node.id) || found === null || behind === undefined) return [];
      if ("why" in behind) {
        leftOut.push({ path: node.path, why: behind.why });
        return [];
      }
      const written = importField(found, splitPath(node.path).slice(0, -1), reading);
      return written === null ? [] : [{ path: node.path, parent: level.parentPath, behind: behind.place, field: written }];
    });
  });
  return { fields, leftOut: [...leftOut, ...reading.fields], defaults: reading.defaults };
}

type Place = { readonly place: Behind } | { readonly why: string };

/** For each undeclared field the nearest live sibling before it that is declared. In the middle of a group there is no place. */
function placesIn(level: LevelMatch, spec: TableSpec): ReadonlyMap<number, Place> {
  const groups = groupsIn(level.parentPath, spec);
  const declaredAs = new Map(level.matches.map((match) => [standingId(match), match.declared.name]));
  const names = level.live.map((node) => declaredAs.get(node.id) ?? null);
  const lastOfGroup = new Map(names.map((name, at) => [name === null ? null : (groups.get(name) ?? null), at]));
  const placeBehind = (name: string | null, at: number): Place => {
    if (name === null) return { place: "first" };
    const group = groups.get(name) ?? null;
    if (group === null || (lastOfGroup.get(group) ?? at) < at) return { place: { name, group } };
    return { why: `it stands between fields of the shared group "${group}"` };
  };
  const places = new Map<number, Place>();
  let before: string | null = null;
  level.live.forEach((node, at) => {
    const name = names[at] ?? null;
    if (name !== null) before = name;
    else places.set(node.id, placeBehind(before, at));
  });
  return places;
}

/** The group of each field of one struct of the declaration. */
function groupsIn(path: readonly string[], { columns }: TableSpec): ReadonlyMap<string, string | null> {
  let type: DeclaredType | undefined = { kind: "struct", fields: columns };
  for (const segment of path) type = childType(type, segment);
  const fields: readonly DeclaredField[] = type?.kind === "struct" ? type.fields : [];
  return new Map(fields.map((field) => [field.name, field.group]));
}

function childType(type: DeclaredType | undefined, segment: string): DeclaredType | undefined {
  switch (type?.kind) {
    case "struct":
      return type.fields.find((field) => field.name === segment)?.type;
    case "list":
      return type.element.type;
    case "map":
      return segment === "key" ? type.key.type : type.value.type;
    default:
      return undefined;
  }
}
