// Makes new JSON text out of old: members and elements that stay are copied as they stand, with the blanks
// around them; what is new is written in the style of the old. Knows JSON, not what the document is about.
import type { JsonValue } from "./json.ts";
import { isBlank, skipBlanks } from "./json-scan.ts";
import { writeJson } from "./json-write.ts";

/** Collects the parts of the new text. Neighbouring slices of the old one become one copy. Offsets count in `old`. */
export interface Output {
  readonly old: Uint8Array;
  copy(start: number, end: number): void;
  text(text: string): void;
  /** Bytes of another document. */
  bytes(bytes: Uint8Array): void;
  finish(): Uint8Array;
}

/** `indent` is what one level is indented by, empty for text without line breaks; `margin` that of the value's own line. */
export interface Layout {
  readonly indent: string;
  readonly margin: string;
}

/** A member of the old text; `value` is a slice of it. */
interface OldMember {
  readonly key: string;
  readonly value: Uint8Array;
}

export type MemberPlan = "keep" | "drop" | ((output: Output) => void);

/** A member that the old object lacks; it comes after the old member named `after`, or last. */
export interface AddedMember {
  readonly key: string;
  readonly after: string | null;
  readonly write: (output: Output) => void;
}

/** An element of a new array: the bytes that it was read from, or a value to write. */
export type Part = Uint8Array | { readonly value: JsonValue };

/** Blanks after the opening and before the closing bracket, and the colon with the blanks around it. */
interface Style {
  readonly lead: string;
  readonly tail: string;
  readonly colon: string;
}

export function startOutput(old: Uint8Array): Output {
  const parts: Uint8Array[] = [];
  let start = 0;
  let end = 0;
  const flush = (): void => {
    if (end > start) parts.push(old.subarray(start, end));
    start = end;
  };
  return {
    old,
    copy: (from, to) => {
      if (from !== end) flush();
      if (start === end) start = from;
      end = to;
    },
    text: (text) => {
      flush();
      parts.push(Buffer.from(text));
    },
    bytes: (bytes) => {
      flush();
      parts.push(bytes);
    },
    finish: () => {
      flush();
      return Buffer.concat(parts);
    },
  };
}

/** The blanks that indent the first member of the document. */
export function detectIndent(document: Uint8Array): string {
  const open = document.indexOf(0x7b);
  return lastLine(textOf(document, open + 1, skipBlanks(document, open + 1)));
}

/** Writes an object by the plan for each old member, with the added ones in their places. `source` is the old object's slice; null makes a new one. */
export function spliceObject(
  output: Output,
  source: Uint8Array | null,
  members: readonly OldMember[],
  planOf: (key: string) => MemberPlan,
  added: readonly AddedMember[],
  layout: Layout,
): void {
  const style = styleOf(source, layout);
  const colon = source === null || members[0] === undefined ? style.colon : colonBefore(source, members[0].value);
  let isEmpty = true;
  let end = source === null ? 0 : source.byteOffset - output.old.byteOffset + 1;
  const writeAdded = (after: string | null): void => {
    for (const member of added.length === 0 ? [] : added.filter((one) => one.after === after)) {
      output.text(`${isEmpty ? "" : ","}${style.lead}${JSON.stringify(member.key)}${colon}`);
      member.write(output);
      isEmpty = false;
    }
  };
  output.text("{");
  members.forEach(({ key, value }, index) => {
    const keyStart = afterComma(output.old, end);
    const valueStart = value.byteOffset - output.old.byteOffset;
    const plan = planOf(key);
    if (plan !== "drop") {
      // What stands before the first old member has no comma in it, and what stands before any other has one.
      if (isEmpty && index > 0) output.text(style.lead);
      else output.copy(end, keyStart);
      output.copy(keyStart, valueStart);
      if (plan === "keep") output.copy(valueStart, valueStart + value.byteLength);
      else plan(output);
      isEmpty = false;
    }
    end = valueStart + value.byteLength;
    writeAdded(key);
  });
  writeAdded(null);
  output.text(isEmpty ? "}" : `${style.tail}}`);
}

/** Writes an array of the parts in their order. `source` is the old array's slice; null makes a new one. */
export function spliceArray(output: Output, source: Uint8Array | null, parts: Iterable<Part>, layout: Layout): void {
  const style = styleOf(source, layout);
  const margin = style.lead.includes("\n") ? lastLine(style.lead) : layout.margin + layout.indent;
  let previous: Uint8Array | null = null;
  let isEmpty = true;
  output.text("[");
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      const isOld = isWithin(output.old, part);
      const start = part.byteOffset - output.old.byteOffset;
      const gap: number | null = previous === null || !isOld ? null : gapBetween(output.old, previous, part);
      if (gap === null) output.text(isEmpty ? style.lead : `,${style.lead}`);
      else output.copy(gap, start);
      if (isOld) output.copy(start, start + part.byteLength);
      else output.bytes(part);
      previous = isOld ? part : null;
    } else {
      output.text((isEmpty ? style.lead : `,${style.lead}`) + writeValue(part.value, { indent: layout.indent, margin }));
      previous = null;
    }
    isEmpty = false;
  }
  output.text(isEmpty ? "]" : `${style.tail}]`);
}

/** A new value in the style of the document. */
export function writeValue(value: JsonValue, { indent, margin }: Layout): string {
  return writeJson(value, { indent }).replaceAll("\n", `\n${margin}`);
}

/** The style of an object or array; that of the document where the old one is empty. */
function styleOf(source: Uint8Array | null, layout: Layout): Style {
  const first = source === null ? 0 : skipBlanks(source, 1);
  if (source === null || first >= source.byteLength - 1) {
    const margin = layout.indent === "" ? "" : `\n${layout.margin}`;
    return { lead: margin + layout.indent, tail: margin, colon: layout.indent === "" ? ":" : ": " };
  }
  const end = source.byteLength - 1;
  let tail = end;
  while (isBlank(source[tail - 1])) tail--;
  return { lead: textOf(source, 1, first), tail: textOf(source, tail, end), colon: ":" };
}

function colonBefore(source: Uint8Array, value: Uint8Array): string {
  const start = value.byteOffset - source.byteOffset;
  return textOf(source, source.lastIndexOf(0x22, start - 1) + 1, start);
}

function isWithin(old: Uint8Array, part: Uint8Array): boolean {
  const start = part.byteOffset - old.byteOffset;
  return part.buffer === old.buffer && start >= 0 && start + part.byteLength <= old.byteLength;
}

/** Where the old separator between two elements starts, if nothing but a comma and blanks stands between them. */
function gapBetween(old: Uint8Array, left: Uint8Array, right: Uint8Array): number | null {
  const start = left.byteOffset - old.byteOffset + left.byteLength;
  const comma = skipBlanks(old, start);
  return old[comma] === 0x2c && skipBlanks(old, comma + 1) === right.byteOffset - old.byteOffset ? start : null;
}

function afterComma(bytes: Uint8Array, from: number): number {
  const at = skipBlanks(bytes, from);
  return bytes[at] === 0x2c ? skipBlanks(bytes, at + 1) : at;
}

function lastLine(blanks: string): string {
  return blanks.includes("\n") ? blanks.slice(blanks.lastIndexOf("\n") + 1) : "";
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
}
