// A schema taken apart into nodes that can be changed one by one, and put together again: siblings in a linked list,
// so that any number of moves costs no more than its own count. Decides nothing: what is allowed is known by the
// update modules. Parts that nobody touched keep their objects.
import type { JsonObject, JsonValue } from "./json.ts";
import { type Field, isNested, type PrimitiveType, type Type } from "./type.ts";
import { childNodes, fieldNodes, type NodeRole, type SchemaNode } from "./walk.ts";

/** The root stands for the schema itself and has no id that a field could have. */
export const ROOT_ID = -1;

export interface DraftNode {
  readonly id: number;
  readonly role: NodeRole;
  readonly isAdded: boolean;
  /** A map key or inside one: never changed. */
  readonly isInMapKey: boolean;
  readonly parent: DraftNode | null;
  name: string;
  required: boolean;
  doc: string | undefined;
  initialDefault: JsonValue | undefined;
  writeDefault: JsonValue | undefined;
  readonly extra: JsonObject | undefined;
  readonly kind: "struct" | "list" | "map" | "primitive";
  primitive: PrimitiveType | null;
  isDropped: boolean;
  /** Changed or moved, or the place of a move was told by it: a later drop would contradict that. */
  isTouched: boolean;
  /** Its own name, type, requiredness, doc or default changed. */
  isUpdated: boolean;
  /** This node or one inside it differs from `origin`. */
  isDirty: boolean;
  readonly origin: SchemaNode | null;
  first: DraftNode | null;
  last: DraftNode | null;
  previous: DraftNode | null;
  next: DraftNode | null;
}

export interface Draft {
  readonly root: DraftNode;
  readonly nodes: Map<number, DraftNode>;
}

/** What a new node needs; its type's children are made with it. */
export interface NewNode {
  readonly role: NodeRole;
  readonly name: string;
  readonly required: boolean;
  readonly type: Type;
  readonly field: Field | null;
}

/** Gives each node of an added type its id; called for all children of a type before anything inside them. */
export type NextId = (given: number) => number;

/** A schema as a draft that keeps ids and objects. */
export function draftOf(fields: readonly Field[]): Draft {
  const draft = emptyDraft();
  grow(draft, draft.root, fieldNodes(fields, null), (given) => given, false);
  return draft;
}

export function emptyDraft(): Draft {
  const root = makeNode(
    ROOT_ID,
    { role: "field", name: "", required: true, type: { kind: "struct", fields: [] }, field: null },
    null,
    false,
    null,
  );
  return { root, nodes: new Map([[ROOT_ID, root]]) };
}

/** Appends a new node with all that is inside its type. The given id is taken as it is; ids inside go through `nextId`. */
export function appendNode(draft: Draft, parent: DraftNode, id: number, made: NewNode, nextId: NextId): DraftNode {
  const node = makeNode(id, made, parent, true, null);
  draft.nodes.set(node.id, node);
  append(parent, node);
  markDirty(node);
  grow(draft, node, childNodes(made.type, null), nextId, true);
  return node;
}

function grow(draft: Draft, top: DraftNode, children: readonly SchemaNode[], nextId: NextId, isAdded: boolean): void {
  const waiting: { readonly parent: DraftNode; readonly children: readonly SchemaNode[] }[] = [{ parent: top, children }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { parent } = one;
    const inner = one.children.map((child) => {
      const node = makeNode(nextId(child.id), child, parent, isAdded, isAdded ? null : child);
      draft.nodes.set(node.id, node);
      append(parent, node);
      return { parent: node, children: childNodes(child.type, null) };
    });
    for (const next of inner.reverse()) if (next.children.length > 0) waiting.push(next);
  }
}

function makeNode(id: number, made: NewNode, parent: DraftNode | null, isAdded: boolean, origin: SchemaNode | null): DraftNode {
  return {
    id,
    role: made.role,
    isAdded,
    isInMapKey: made.role === "key" || (parent?.isInMapKey ?? false),
    parent,
    name: made.name,
    required: made.required,
    doc: made.field?.doc,
    initialDefault: made.field?.initialDefault,
    writeDefault: made.field?.writeDefault,
    extra: made.field?.extra,
    kind: isNested(made.type) ? made.type.kind : "primitive",
    primitive: isNested(made.type) ? null : made.type,
    isDropped: false,
    isTouched: false,
    isUpdated: false,
    isDirty: isAdded,
    origin,
    first: null,
    last: null,
    previous: null,
    next: null,
  };
}

function append(parent: DraftNode, node: DraftNode): void {
  node.previous = parent.last;
  if (parent.last === null) parent.first = node;
  else parent.last.next = node;
  parent.last = node;
}

export function markDirty(node: DraftNode): void {
  node.isDirty = true;
  for (let one = node.parent; one !== null && !one.isDirty; one = one.parent) one.isDirty = true;
}

/** Takes the node out of its siblings and puts it before `successor`, or at the end for null. */
export function moveNode(node: DraftNode, successor: DraftNode | null): void {
  const { parent } = node;
  if (parent === null || successor === node) return;
  unlink(node);
  const previous = successor === null ? parent.last : successor.previous;
  node.previous = previous;
  node.next = successor;
  if (previous === null) parent.first = node;
  else previous.next = node;
  if (successor === null) parent.last = node;
  else successor.previous = node;
  markDirty(node);
}

function unlink(node: DraftNode): void {
  const { parent, previous, next } = node;
  if (parent === null) return;
  if (previous === null) parent.first = next;
  else previous.next = next;
  if (next === null) parent.last = previous;
  else next.previous = previous;
  node.previous = null;
  node.next = null;
}

/** Drops the node and everything inside it. */
export function dropNode(node: DraftNode): void {
  markDirty(node);
  for (const inner of liveNodes(node)) inner.isDropped = true;
  node.isDropped = true;
}

/** The children that are not dropped, in order. */
export function* liveChildren(node: DraftNode): Generator<DraftNode, void, undefined> {
  for (let child = node.first; child !== null; child = child.next) if (!child.isDropped) yield child;
}

/** Everything inside the node that is not dropped, in schema order. */
export function* liveNodes(node: DraftNode): Generator<DraftNode, void, undefined> {
  const waiting = [...liveChildren(node)].reverse();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one;
    for (const child of [...liveChildren(one)].reverse()) waiting.push(child);
  }
}
