// What a random update is made from: the table as it stands, and names spelled as people spell them.
import type { Schema } from "../../../src/iceberg/type.ts";
import type { NamedNode } from "./nodes.ts";
import type { Random } from "./random.ts";

/** What an update works on, and what it has asked for so far. */
export interface Scene {
  readonly random: Random;
  readonly version: number;
  readonly schema: Schema;
  readonly nodes: readonly NamedNode[];
  /** Full names of columns that this update adds. */
  readonly added: string[];
  ignoresCase: boolean;
}

/** Mostly a field; `any` also takes parts of lists and maps. */
export function anyColumn({ random, nodes, added }: Scene, role?: "any"): string {
  if (random.percent(4)) return random.pick(["gone", "a.gone", "a.element", "x.value.y"]);
  if (added.length > 0 && random.percent(15)) return random.any(added) ?? "gone";
  const candidates = role === "any" || random.percent(8) ? nodes : nodes.filter((node) => node.role === "field");
  const node = random.any(candidates);
  if (node === undefined) return "gone";
  return random.percent(25) ? node.shortName : node.fullName;
}

export function spelled({ random, ignoresCase }: Scene, name: string): string {
  if (!ignoresCase || random.percent(50)) return name;
  return random.percent(50) ? name.toUpperCase() : name.toLowerCase();
}

export function nameOf(random: Random, node: NamedNode): string {
  return random.percent(25) ? node.shortName : node.fullName;
}
