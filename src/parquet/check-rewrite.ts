// Says from the footer alone whether a file can be rewritten, before a byte is written: which columns there
// are, and which feature stands in the way. Pure.
import { canDecompress } from "./codecs/codec.ts";
import type { ColumnRewrite } from "./column-rewrite.ts";
import { canDecode } from "./encodings/read-values.ts";
import type { Footer } from "./footer.ts";
import { flatLeaf, type Leaf, type SchemaNode } from "./schema.ts";

/** What the file has of one wanted field. */
export type ColumnCheck =
  | { readonly state: "ready"; readonly node: SchemaNode; readonly leaf: Leaf }
  /** The file has no column with this id. */
  | { readonly state: "absent" }
  | { readonly state: "unsupported"; readonly column: string; readonly why: string };

export type RewriteCheck =
  | { readonly state: "ready"; readonly columns: readonly CheckedRewrite[] }
  | { readonly state: "nothing-to-rewrite" }
  | { readonly state: "unsupported"; readonly column: string; readonly why: string };

export interface CheckedRewrite {
  readonly rewrite: ColumnRewrite;
  readonly node: SchemaNode;
  readonly leaf: Leaf;
}

/** Before this version parquet-mr left a header out of the length of its column chunks (PARQUET-816). */
const SOUND_LENGTHS = { minor: 2, patch: 9 };

export function checkColumn(footer: Footer, fieldId: number): ColumnCheck {
  const found = footer.root.children.filter((child) => child.fieldId === fieldId);
  const node = found[0];
  if (node === undefined) {
    const nested = findNested(footer.root, fieldId);
    return nested === null ? { state: "absent" } : no(nested.name, "it is nested in another column");
  }
  if (found.length > 1) return no(node.name, `${found.length} columns carry its field id`);
  const leaf = flatLeaf(node);
  if (leaf === null) return no(node.name, node.leaf === null ? "it is not of a primitive type" : "it is repeated");
  const chunks = footer.rowGroups.flatMap((group) => group.chunks[leaf.index] ?? []);
  for (const chunk of chunks) {
    if (!canDecompress(chunk.codec)) return no(node.name, `it is compressed with ${chunk.codec}`);
    const encoding = [...chunk.encodings, ...(chunk.dataPageEncodings ?? [])].find((name) => !canDecode(name));
    if (encoding !== undefined) return no(node.name, `it uses encoding ${encoding}`);
  }
  if (hasWrongLengths(footer.createdBy)) return no(node.name, `the file is by "${footer.createdBy}", which stored wrong lengths`);
  return { state: "ready", node, leaf };
}

export function checkRewrite(footer: Footer, rewrites: readonly ColumnRewrite[]): RewriteCheck {
  const columns: CheckedRewrite[] = [];
  for (const rewrite of rewrites) {
    // Where the new column is there already, readers find it and the old one is of no account.
    if (checkColumn(footer, rewrite.newFieldId).state !== "absent") continue;
    const check = checkColumn(footer, rewrite.retiredFieldId);
    if (check.state === "unsupported") return check;
    if (check.state === "ready") columns.push({ rewrite, node: check.node, leaf: check.leaf });
  }
  return columns.length === 0 ? { state: "nothing-to-rewrite" } : { state: "ready", columns };
}

function no(column: string, why: string): { readonly state: "unsupported"; readonly column: string; readonly why: string } {
  return { state: "unsupported", column, why };
}

function findNested(node: SchemaNode, fieldId: number): SchemaNode | null {
  for (const child of node.children) {
    const found = child.fieldId === fieldId ? child : findNested(child, fieldId);
    if (found !== null) return found;
  }
  return null;
}

function hasWrongLengths(createdBy: string | null): boolean {
  // The oldest ones do not even state a version.
  if (createdBy === "parquet-mr") return true;
  const version = /^parquet-mr version 1\.(\d+)\.(\d+)/.exec(createdBy ?? "");
  if (version === null) return false;
  const [minor, patch] = [Number(version[1]), Number(version[2])];
  return minor < SOUND_LENGTHS.minor || (minor === SOUND_LENGTHS.minor && patch < SOUND_LENGTHS.patch);
}
