// Changes of a tree: nodes replaced, taken out, put twice, swapped, moved, wrapped; numbers and names taken from other
// places of the same document, so that ids meet; keys renamed; nesting without measure.
import type { Random } from "../random.ts";
import { NAMES, NUMBERS } from "./hostile.ts";
import { copyOf, type Member, nodesOf, printJson, type Tree } from "./tree.ts";

type Change = (node: Tree, random: Random, around: Around) => void;

interface Around {
  readonly nodes: readonly Tree[];
  readonly other: readonly Tree[];
}

/** Characters that one change adds by copies. */
const MOST_ADDED = 1_000_000;

const WORDS = ["null", "true", "false", "[]", "{}", '""', "undefined", "nul", "[", "}", ",", ""];

const CHANGES: readonly Change[] = [
  (node, random) => become(node, scalar(random.pick(NUMBERS))),
  (node, random) => become(node, scalar(random.pick(WORDS))),
  (node, random) => become(node, scalar(JSON.stringify(random.pick(NAMES)))),
  (node, random, { nodes }) => become(node, copyOf(random.pick(nodes))),
  (node, random, { other }) => become(node, copyOf(random.pick(other))),
  (node, random, { nodes }) => {
    const from = random.pick(nodes);
    const [mine, its] = [copyOf(node), copyOf(from)];
    become(node, its);
    become(from, mine);
  },
  nudge,
  nudge,
  nudge,
  nudge,
  inside((list, random) => void list.splice(random.below(list.length), 1)),
  inside((list, random) => void list.splice(random.below(list.length), 1)),
  inside((list, random) => {
    const at = random.below(list.length);
    const one = list[at];
    if (one !== undefined) list.splice(random.below(list.length + 1), 0, copyOfPart(one));
  }),
  inside((list, random) => {
    const [a, b] = [random.below(list.length), random.below(list.length)];
    const [first, second] = [list[a], list[b]];
    if (first === undefined || second === undefined) return;
    list[a] = second;
    list[b] = first;
  }),
  inside((list) => void list.splice(0)),
  inside((list) => void list.reverse()),
  (node, random, { nodes }) => {
    if (node.kind !== "object" || node.members.length === 0) return;
    const member = random.pick(node.members);
    const keys = nodes.flatMap((one) => (one.kind === "object" ? one.members.map(({ key }) => key) : []));
    member.key = random.once(2) ? JSON.stringify(random.pick(NAMES)) : random.pick(keys);
  },
  (node, random, { other }) => {
    if (node.kind !== "object") return;
    const objects = other.flatMap((one) => (one.kind === "object" ? one.members : []));
    if (objects.length > 0) node.members.push(copyOfMember(random.pick(objects)));
  },
  (node, random) => become(node, random.once(2) ? { kind: "list", items: [copyOf(node)] } : wrapped(node, '"value"')),
  (node, random) => deepen(node, random.pick([3, 20, 70, 200, 2000, 30_000]), random.once(2)),
  (node, random) => {
    if (node.kind === "list" && node.items.length > 0) {
      const one = random.pick(node.items);
      // Many of what is large already, done twice, would fill the memory of the process.
      const most = Math.ceil(MOST_ADDED / (1 + printJson(one).length));
      for (let left = Math.min(most, random.pick([2, 10, 100, 1000])); left > 0; left--) node.items.push(copyOf(one));
    }
  },
];

export function mutateTree(tree: Tree, random: Random, other: Tree, most = 6): Tree {
  const changed = copyOf(tree);
  const otherNodes = nodesOf(other);
  for (let left = random.few(most); left > 0; left--) {
    // Deep or broad beyond use: printed as it is.
    const nodes = nodesOf(changed);
    if (nodes.length > 10_000) break;
    random.pick(CHANGES)(random.pick(nodes), random, { nodes, other: otherNodes });
  }
  return changed;
}

function nudge(node: Tree, random: Random, { nodes }: Around): void {
  const scalars = nodes.filter((one) => one.kind === "scalar");
  const target = node.kind === "scalar" ? node : scalars.length === 0 ? null : random.pick(scalars);
  if (target?.kind !== "scalar") return;
  const alike = scalars.filter((one) => one.kind === "scalar" && one.text.startsWith('"') === target.text.startsWith('"'));
  const donor = alike.length === 0 ? target : random.pick(alike);
  if (random.once(2) && donor.kind === "scalar") target.text = donor.text;
  else if (/^-?\d+$/.test(target.text)) target.text = String(numberNear(BigInt(target.text), random));
  else if (target.text.startsWith('"')) target.text = textNear(target.text, random);
  else target.text = random.pick(["true", "false", "null", "0", '"x"']);
}

function numberNear(value: bigint, random: Random): bigint {
  return random.pick([value + 1n, value - 1n, -value, value * 2n, value + 2n ** 31n, value + 2n ** 32n, value + 2n ** 63n, 0n]);
}

/** Between its quotes, what stands there stays a JSON text in most cases. */
function textNear(quoted: string, random: Random): string {
  const inner = quoted.slice(1, -1);
  const at = random.below(inner.length + 1);
  const added = random.pick([
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    "0",
    "-",
    "99999999999",
    " ",
    "\\u0000",
    "\\ud800",
    "x",
    ".",
  ]);
  if (random.once(3)) return `"${inner.slice(0, at)}${inner.slice(at + 1)}"`;
  return `"${inner.slice(0, at)}${added}${inner.slice(at)}"`;
}

function inside(change: (list: (Tree | Member)[], random: Random) => void): Change {
  return (node, random, { nodes }) => {
    const isFull = (one: Tree): boolean =>
      (one.kind === "list" && one.items.length > 0) || (one.kind === "object" && one.members.length > 0);
    const full = isFull(node) ? node : nodes.find(isFull);
    if (full?.kind === "list") change(full.items, random);
    if (full?.kind === "object") change(full.members, random);
  };
}

function copyOfPart(part: Tree | Member): Tree | Member {
  return "kind" in part ? copyOf(part) : copyOfMember(part);
}

function copyOfMember({ key, value }: Member): Member {
  return { key, value: copyOf(value) };
}

function scalar(text: string): Tree {
  return { kind: "scalar", text };
}

function wrapped(node: Tree, key: string): Tree {
  return { kind: "object", members: [{ key, value: copyOf(node) }] };
}

/** Text, since a tree that deep could not be walked. */
function deepen(node: Tree, depth: number, isList: boolean): void {
  const [open, close] = isList ? ["[", "]"] : ['{"type":', "}"];
  become(node, scalar(`${open.repeat(depth)}1${close.repeat(depth)}`));
}

function become(node: Tree, other: Tree): void {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key);
  Object.assign(node, other);
}
