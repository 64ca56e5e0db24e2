// Writes a table metadata document: into the file that it was read from, changing only what has changed, or
// anew in Java's order. Knows which sections changed by comparing references; the text work is in
// metadata-write-splice.ts.
import { scanArray, scanObject } from "./json-scan.ts";
import {
  type ListItem,
  type MapEntry,
  METADATA_MEMBERS,
  type MemberContent,
  type MetadataMember,
} from "./metadata-write-members.ts";
import {
  type AddedMember,
  detectIndent,
  type Layout,
  type MemberPlan,
  type Output,
  type Part,
  spliceArray,
  spliceObject,
  startOutput,
  writeValue,
} from "./metadata-write-splice.ts";
import type { MetadataOrigin, TableMetadata } from "./table-metadata.ts";

const MEMBERS_BY_KEY: ReadonlyMap<string, MetadataMember> = new Map(METADATA_MEMBERS.map((member) => [member.key, member]));
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;

/** A member as the file has it: its text, and what was read from it. */
interface OldMember {
  readonly text: Uint8Array;
  readonly content: MemberContent | undefined;
}

export function writeDocument(metadata: TableMetadata): Uint8Array {
  const { origin } = metadata;
  if (origin === null) return writeNew(metadata);
  if (METADATA_MEMBERS.every((member) => isUnchanged(member, metadata, origin.read))) return origin.document;
  const { document, members, read } = origin;
  const output = startOutput(document);
  const indent = detectIndent(document);
  const texts = new Map(members.map(({ key, value }) => [key, value]));
  const open = document.indexOf(OPEN_BRACE);
  const close = document.lastIndexOf(CLOSE_BRACE) + 1;
  output.copy(0, open);
  spliceObject(
    output,
    document.subarray(open, close),
    members,
    (key) => planMember(metadata, read, key, texts.get(key), { indent, margin: indent }),
    addedMembers(metadata, { indent, margin: indent }),
    { indent, margin: "" },
  );
  output.copy(close, document.byteLength);
  return output.finish();
}

function writeNew(metadata: TableMetadata): Uint8Array {
  const output = startOutput(new Uint8Array());
  const layout = { indent: "", margin: "" };
  spliceObject(output, null, [], () => "drop", addedMembers(metadata, layout), layout);
  return output.finish();
}

function planMember(
  now: TableMetadata,
  read: TableMetadata,
  key: string,
  text: Uint8Array | undefined,
  layout: Layout,
): MemberPlan {
  const member = MEMBERS_BY_KEY.get(key);
  if (member === undefined || text === undefined || isUnchanged(member, now, read)) return "keep";
  const content = member.content(now);
  if (content === undefined) return "drop";
  return (output) => writeContent(output, content, { text, content: member.content(read) }, layout);
}

/** True while every value the member is made from is the very one that was read. */
function isUnchanged(member: MetadataMember, now: TableMetadata, read: TableMetadata): boolean {
  if (member.from.includes("carried")) return now.carried[member.key] === read.carried[member.key];
  return member.from.every((property) => now[property] === read[property]);
}

/** Members that the file lacks and now needs, each after the nearest member of Java's order that is there. */
function addedMembers(metadata: TableMetadata, layout: Layout): readonly AddedMember[] {
  const { origin } = metadata;
  const present = new Set(origin?.members.map((member) => member.key));
  const added: AddedMember[] = [];
  let after: string | null = null;
  for (const member of METADATA_MEMBERS) {
    if (present.has(member.key)) after = member.key;
    const content = present.has(member.key) || !isNeeded(member, metadata, origin) ? undefined : member.content(metadata);
    if (content !== undefined) added.push({ key: member.key, after, write: (out) => writeContent(out, content, null, layout) });
  }
  return added;
}

function isNeeded(member: MetadataMember, metadata: TableMetadata, origin: MetadataOrigin | null): boolean {
  if (origin === null || !isUnchanged(member, metadata, origin.read)) return true;
  return metadata.formatVersion !== origin.read.formatVersion && member.requiredFrom <= metadata.formatVersion;
}

function writeContent(output: Output, content: MemberContent, old: OldMember | null, layout: Layout): void {
  switch (content.kind) {
    case "value":
      output.text(writeValue(content.value, layout));
      return;
    case "list": {
      const text = old?.text[0] === OPEN_BRACKET ? old.text : null;
      const texts =
        text === null || old?.content?.kind !== "list" ? new Map<unknown, Uint8Array>() : textsOf(text, old.content.items);
      spliceArray(output, text, listParts(content.items, texts), layout);
      return;
    }
    case "map":
      writeMap(output, content.entries, old, layout);
  }
}

/** The text that each typed element was read from; nothing for lists whose elements know theirs. */
function textsOf(text: Uint8Array, items: Iterable<ListItem>): Map<unknown, Uint8Array> {
  const identities: unknown[] = [];
  for (const item of items) {
    if (item instanceof Uint8Array) return new Map();
    identities.push(item.identity);
  }
  return new Map(scanArray(text).map((element, index) => [identities[index], element]));
}

function* listParts(items: Iterable<ListItem>, texts: ReadonlyMap<unknown, Uint8Array>): Generator<Part> {
  for (const item of items) {
    if (item instanceof Uint8Array) yield item;
    else yield texts.get(item.identity) ?? { value: item.write() };
  }
}

function writeMap(output: Output, entries: readonly MapEntry[], old: OldMember | null, layout: Layout): void {
  const now = new Map(entries.map((entry) => [entry.key, entry]));
  const read = new Map((old?.content?.kind === "map" ? old.content.entries : []).map((entry) => [entry.key, entry]));
  const text = old?.text[0] === OPEN_BRACE ? old.text : null;
  const members = text === null ? [] : scanObject(text);
  const present = new Set(members.map((member) => member.key));
  const inner = { indent: layout.indent, margin: layout.margin + layout.indent };
  const write = (entry: MapEntry) => (out: Output) => out.text(writeValue(entry.value, inner));
  spliceObject(
    output,
    text,
    members,
    (key) => {
      const entry = now.get(key);
      if (entry === undefined) return "drop";
      return read.get(key)?.identity === entry.identity ? "keep" : write(entry);
    },
    entries.filter(({ key }) => !present.has(key)).map((entry) => ({ key: entry.key, after: null, write: write(entry) })),
    layout,
  );
}
