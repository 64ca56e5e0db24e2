// `policy:` of the project and of an environment, which replaces the project's key by key.
import { itemsOf, type Reading, report, textOf } from "../reading.ts";
import { DEFAULT_POLICY, type Policy } from "../project-config.ts";
import { quoted } from "../words.ts";
import { findValue, type MapNode, type YamlNode } from "../yaml/tree.ts";
import { parseByteSize } from "./byte-size.ts";

/** The policy with the keys of the node over those of `base`. */
export function readPolicy(reading: Reading, node: YamlNode | undefined, base: Policy = DEFAULT_POLICY): Policy {
  if (node?.kind !== "map") return base;
  const text = (key: string): string | undefined => textOf(findValue(node, key));
  const rows = findValue(node, "gate-below-rows");
  return {
    mode: oneOf(text("mode"), ["apply", "observe"], base.mode),
    apply: oneOf(text("apply"), ["anywhere", "action-only"], base.apply),
    columnOrder: oneOf(text("column-order"), ["declared", "append"], base.columnOrder),
    maxRewriteBytes: readSize(reading, findValue(node, "max-rewrite"), base.maxRewriteBytes),
    gateBelowRows: rows?.kind === "scalar" && typeof rows.value === "number" ? rows.value : base.gateBelowRows,
    snapshotTag: oneOf(text("snapshot-tag"), ["keep", "none"], base.snapshotTag),
    approve: readApprove(findValue(node, "approve")) ?? base.approve,
  };
}

function oneOf<T extends string>(text: string | undefined, words: readonly T[], otherwise: T): T {
  return words.find((word) => word === text) ?? otherwise;
}

/** As in the schema: what has this shape and is no size has too many digits. */
const SIZE_SHAPE = /^[0-9]+(?:\.[0-9]+)? ?(?:B|KiB|MiB|GiB|TiB)?$/;

function readSize(reading: Reading, node: YamlNode | undefined, otherwise: number | null): number | null {
  const text = textOf(node);
  if (node === undefined || text === undefined) return otherwise;
  const bytes = parseByteSize(text);
  if (bytes !== null) return bytes;
  // A text of another shape is told by the schema; here only what is too large to count.
  if (SIZE_SHAPE.test(text)) {
    report(reading, "value-out-of-range", node, {
      what: `Cannot use ${quoted(text)} for "max-rewrite"`,
      why: "The largest size is 8191 TiB",
    });
  }
  return otherwise;
}

function readApprove(node: YamlNode | undefined): Policy["approve"] | undefined {
  if (node?.kind !== "map") return undefined;
  const by = (itemsOf(findValue(node, "by")) ?? []).flatMap((item) => textOf(item) ?? []);
  return { by, count: countOf(node) };
}

function countOf(map: MapNode): number {
  const count = findValue(map, "count");
  return count?.kind === "scalar" && typeof count.value === "number" ? count.value : 1;
}
