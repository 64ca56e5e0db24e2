// All that the model knows while one sequence runs: what Git says and said, which plans somebody looked at, whose id is
// whose, and the rows of every snapshot. Kept by the operations, held against the live table by the invariants.
import { formatPath } from "../../src/iceberg/field-path.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import type { Field, Schema } from "../../src/iceberg/type.ts";
import type { Step } from "../../src/plan/plan.ts";
import { columnsOf, type Declared } from "./declaration.ts";
import type { Lake } from "./lake.ts";
import type { Row } from "./read-rows.ts";
import type { Tally } from "./tally.ts";

/** Rows of one data file, as they were written or converted: values by id of the leaf. */
export interface ModelFile {
  readonly rows: readonly Row[];
}

/** A plan that somebody looked at and recorded. */
export interface RecordedPlan {
  readonly steps: readonly Step[];
  readonly declared: Declared;
}

export interface World {
  readonly lake: Lake;
  readonly tally: Tally;
  /** What happened, told to whoever reads a failure. */
  readonly story: string[];
  /** The file on the main branch of Git, and all that it was before. */
  declared: Declared;
  readonly log: Declared[];
  /** The file of the last commit of the product. */
  lastApplied: Declared;
  readonly recorded: RecordedPlan[];
  nextKey: number;
  nextSnapshot: bigint;
  /** Ids now: of keys that were ever live. */
  readonly idOf: Map<number, number>;
  /** `parent/name` under which an id ever stood. */
  readonly stood: Map<number, Set<string>>;
  /** Ids that a conversion retired. */
  readonly retired: Set<number>;
  /** Ids of what was last applied; null before the table was made. */
  base: ReadonlySet<number> | null;
  /** Values of the properties that were last applied. */
  baseProperties: Readonly<Record<string, string>>;
  readonly snapshots: Map<bigint, readonly ModelFile[]>;
  refs: ReadonlyMap<string, bigint>;
  /** Metadata file of the newest commit that the model knows. */
  head: string | null;
  /** Schema of the last conversion's commit; null before one. */
  conversionSchema: number | null;
  /** The one whose rows were read last. */
  readAt: string | null;
}

export function newWorld(lake: Lake, declared: Declared, tally: Tally): World {
  return {
    lake,
    tally,
    story: [],
    declared,
    log: [],
    lastApplied: declared,
    recorded: [],
    nextKey: 100,
    nextSnapshot: 1000n,
    idOf: new Map(),
    stood: new Map(),
    retired: new Set(),
    base: null,
    baseProperties: {},
    snapshots: new Map(),
    refs: new Map(),
    head: null,
    conversionSchema: null,
    readAt: null,
  };
}

export async function liveTable({ lake }: World): Promise<LiveTable> {
  const live = await lake.live();
  if (live === null) throw new Error("The table is not there");
  return live;
}

export interface LiveNode {
  readonly field: Field;
  readonly parentId: number | null;
  readonly path: string;
}

/** Every field of the structs of a schema, outermost first; list elements are named `element` in paths. */
export function nodesOf({ fields }: Pick<Schema, "fields">): LiveNode[] {
  const inside = (items: readonly Field[], parentId: number | null, above: readonly string[]): LiveNode[] =>
    items.flatMap((field) => {
      const path = [...above, field.name];
      const node = { field, parentId, path: formatPath(path) };
      const { type } = field;
      if (type.kind === "struct") return [node, ...inside(type.fields, field.id, path)];
      if (type.kind === "list" && type.element.kind === "struct")
        return [node, ...inside(type.element.fields, type.elementId, [...path, "element"])];
      return [node];
    });
  return inside(fields, null, []);
}

/** The path as the file would write it: what holds the field goes by its declared name. */
export function declaredPath(
  world: World,
  declared: Pick<Declared, "columns">,
  node: LiveNode,
  nodes: readonly LiveNode[],
): string {
  const names = new Map(
    columnsOf(declared).flatMap(({ column }) => {
      const id = world.idOf.get(column.key);
      return id === undefined ? [] : [[id, column.name] as const];
    }),
  );
  const segments = [node.field.name];
  for (let parentId = node.parentId; parentId !== null; ) {
    const holder: LiveNode | undefined = nodes.find(
      ({ field }) => field.id === parentId || (field.type.kind === "list" && field.type.elementId === parentId),
    );
    if (holder === undefined) break;
    if (holder.field.type.kind === "list") segments.unshift("element");
    segments.unshift(names.get(holder.field.id) ?? holder.field.name);
    parentId = holder.parentId;
  }
  return formatPath(segments);
}

export function standing(parentId: number | null, name: string): string {
  return `${parentId ?? ""}/${name}`;
}

/** Remembers where each id stands now. */
export function noteStanding(world: World, metadata: TableMetadata): void {
  for (const { field, parentId } of nodesOf(currentSchema(metadata))) {
    const known = world.stood.get(field.id);
    if (known === undefined) world.stood.set(field.id, new Set([standing(parentId, field.name)]));
    else known.add(standing(parentId, field.name));
  }
}

/** Whether a type tree holds an id of its own besides the struct fields: a list's element. */
export function idsInside(field: Field): number[] {
  const own = [field.id];
  if (field.type.kind === "struct") return [...own, ...field.type.fields.flatMap(idsInside)];
  if (field.type.kind !== "list") return own;
  const element = field.type.element.kind === "struct" ? field.type.element.fields.flatMap(idsInside) : [];
  return [...own, field.type.elementId, ...element];
}

export function allIds(schema: Pick<Schema, "fields">): Set<number> {
  return new Set(schema.fields.flatMap(idsInside));
}
