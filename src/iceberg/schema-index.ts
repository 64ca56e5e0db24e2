// Look-ups in one schema: by id, by path, and by the dotted names of the format's API with its short forms.
// Built once a schema, on demand, in linear time. Knows nothing of changes.
import { formatPath } from "./field-path.ts";
import type { Field, Schema } from "./type.ts";
import { type NodeRole, type SchemaNode, walkFields } from "./walk.ts";

interface NameLookup {
  readonly found: SchemaNode | null;
  /** Two names that differ only in case: then nothing can be looked up without regard to case. */
  readonly collision?: readonly [string, string];
}

export interface SchemaIndex {
  /** Every node in schema order: a field before what is inside it. */
  readonly nodes: readonly SchemaNode[];
  byId(id: number): SchemaNode | undefined;
  /** By full dotted name, or by a short one: `points.x` for `points.element.x` unless a field has that full name. */
  byName(name: string): SchemaNode | undefined;
  byNameIgnoringCase(name: string): NameLookup;
  /** By the segments of a path: exact, whatever characters the names hold. */
  byPath(segments: readonly string[]): SchemaNode | undefined;
  /** Names from the top down to the node. */
  segments(id: number): readonly string[];
  /** Dotted full name as the format's API and column properties spell it, without quotes. */
  fullName(id: number): string | undefined;
}

interface Names {
  readonly full: ReadonlyMap<string, SchemaNode>;
  readonly short: ReadonlyMap<string, SchemaNode>;
  readonly fullById: ReadonlyMap<number, string>;
}

const indexes = new WeakMap<readonly Field[], SchemaIndex>();

/** The index of a schema; the same object each time. */
export function indexSchema(schema: Pick<Schema, "fields">): SchemaIndex {
  const known = indexes.get(schema.fields);
  if (known !== undefined) return known;
  const index = buildIndex(schema.fields);
  indexes.set(schema.fields, index);
  return index;
}

/** The path of a field in the one path grammar, e.g. `items.element.sku`; undefined when the schema has no such id. */
export function fieldPath(schema: Pick<Schema, "fields">, id: number): string | undefined {
  const index = indexSchema(schema);
  return index.byId(id) === undefined ? undefined : formatPath(index.segments(id));
}

/** The node that holds this one; null for a column, undefined when the schema has no such id. */
export function parentOf(schema: Pick<Schema, "fields">, id: number): SchemaNode | null | undefined {
  return indexSchema(schema).byId(id)?.parent;
}

/** Ids of all nodes, in schema order. */
export function allFieldIds(schema: Pick<Schema, "fields">): number[] {
  return indexSchema(schema).nodes.map((node) => node.id);
}

/** The node and everything that encloses it, innermost first. */
export function* enclosing(node: SchemaNode): Generator<SchemaNode, void, undefined> {
  for (let one: SchemaNode | null = node; one !== null; one = one.parent) yield one;
}

function buildIndex(fields: readonly Field[]): SchemaIndex {
  const nodes = [...walkFields(fields)];
  const nodeById = new Map<number, SchemaNode>();
  for (const node of nodes) if (!nodeById.has(node.id)) nodeById.set(node.id, node);
  let names: Names | undefined;
  let lowerCase: ReadonlyMap<string, SchemaNode> | readonly [string, string] | undefined;
  let children: ReadonlyMap<SchemaNode | null, ReadonlyMap<string, SchemaNode>> | undefined;
  const getNames = (): Names => (names ??= buildNames(nodes));

  return {
    nodes,
    byId: (id) => nodeById.get(id),
    byName: (name) => getNames().full.get(name) ?? getNames().short.get(name),
    byNameIgnoringCase: (name) => {
      lowerCase ??= buildLowerCase(getNames());
      if (isCollision(lowerCase)) return { found: null, collision: lowerCase };
      return { found: lowerCase.get(name.toLowerCase()) ?? null };
    },
    byPath: (segments) => {
      children ??= buildChildren(nodes);
      let found: SchemaNode | undefined;
      for (const segment of segments) {
        found = children.get(found ?? null)?.get(segment);
        if (found === undefined) return undefined;
      }
      return found;
    },
    segments: (id) => segmentsOf(nodeById.get(id)),
    fullName: (id) => getNames().fullById.get(id),
  };
}

function segmentsOf(node: SchemaNode | undefined): string[] {
  return node === undefined ? [] : Array.from(enclosing(node), (one) => one.name).reverse();
}

function buildChildren(nodes: readonly SchemaNode[]): ReadonlyMap<SchemaNode | null, ReadonlyMap<string, SchemaNode>> {
  const children = new Map<SchemaNode | null, Map<string, SchemaNode>>();
  for (const node of nodes) {
    const siblings = children.get(node.parent) ?? new Map<string, SchemaNode>();
    if (!siblings.has(node.name)) siblings.set(node.name, node);
    children.set(node.parent, siblings);
  }
  return children;
}

// Reference implementation, IndexByName: a short name leaves out `element` and `value` where these are structs,
// the first field that has a short name keeps it, and a full name always wins over a short one.
function buildNames(nodes: readonly SchemaNode[]): Names {
  const full = new Map<string, SchemaNode>();
  const short = new Map<string, SchemaNode>();
  const fullById = new Map<number, string>();
  const shortPrefixes = new Map<SchemaNode, string>();
  const fullNames = new Map<SchemaNode, string>();
  for (const node of nodes) {
    const fullName = node.parent === null ? node.name : `${fullNames.get(node.parent) ?? ""}.${node.name}`;
    const shortName = node.parent === null ? node.name : `${shortPrefixes.get(node.parent) ?? ""}.${node.name}`;
    fullNames.set(node, fullName);
    shortPrefixes.set(
      node,
      isLeftOut(node.role, node.type.kind) && node.parent !== null ? (shortPrefixes.get(node.parent) ?? "") : shortName,
    );
    if (!full.has(fullName)) full.set(fullName, node);
    if (!short.has(shortName)) short.set(shortName, node);
    if (!fullById.has(node.id)) fullById.set(node.id, fullName);
  }
  return { full, short, fullById };
}

function isLeftOut(role: NodeRole, kind: string): boolean {
  return (role === "element" || role === "value") && kind === "struct";
}

function buildLowerCase(names: Names): ReadonlyMap<string, SchemaNode> | readonly [string, string] {
  const lowerCase = new Map<string, SchemaNode>();
  const spelled = new Map<string, string>();
  for (const source of [names.full, names.short]) {
    for (const [name, node] of source) {
      if (source === names.short && names.full.has(name)) continue;
      const lower = name.toLowerCase();
      const other = lowerCase.get(lower);
      if (other !== undefined && other.id !== node.id) return [spelled.get(lower) ?? name, name];
      lowerCase.set(lower, node);
      spelled.set(lower, name);
    }
  }
  return lowerCase;
}

function isCollision(value: ReadonlyMap<string, SchemaNode> | readonly [string, string]): value is readonly [string, string] {
  return Array.isArray(value);
}
