// Reads type text with nesting, as people write it in YAML: `list<struct>`, `struct<a: required int>`. The
// result has no ids and no places; what other systems call a type comes in as a function.
import type { PrimitiveType } from "./type.ts";
import { parseType } from "./type-text.ts";

/** A type without ids. `struct` without brackets has `fields: null`: they are given elsewhere. */
export type TypeShape =
  | PrimitiveType
  | { readonly kind: "struct"; readonly fields: readonly FieldShape[] | null }
  | { readonly kind: "list"; readonly element: PartShape }
  | { readonly kind: "map"; readonly key: PartShape; readonly value: PartShape };

/** A list element, map key or map value. A map key is always required, whether the text says so or not. */
export interface PartShape {
  readonly type: TypeShape;
  readonly required: boolean;
}

interface FieldShape extends PartShape {
  readonly name: string;
}

/** `offset` counts UTF-16 units from the start of the text; `why` is a sentence without a full stop. */
interface TypeTextError {
  readonly offset: number;
  readonly why: string;
}

export type TypeTextResult = { readonly type: TypeShape } | { readonly error: TypeTextError };

export interface TypeTextOptions {
  /** Iceberg's own name for a name of another system (`bigint`, `varchar(9)`, `array`), or null. */
  readonly alias?: (name: string) => string | null;
}

/** Deeper text is refused: no table has it, and it must not exhaust the stack. */
const MAX_DEPTH = 200;

interface Cursor {
  readonly text: string;
  readonly alias: (name: string) => string | null;
  at: number;
  depth: number;
}

class TypeTextFault extends Error {
  readonly fault: TypeTextError;
  constructor(fault: TypeTextError) {
    super(fault.why);
    this.fault = fault;
  }
}

export function parseTypeText(text: string, options: TypeTextOptions = {}): TypeTextResult {
  const cursor: Cursor = { text, alias: options.alias ?? (() => null), at: 0, depth: 0 };
  try {
    const type = parseShape(cursor);
    skipBlanks(cursor);
    if (cursor.at < text.length) fail(cursor.at, `Expected the end of the type, found "${text.charAt(cursor.at)}"`);
    return { type };
  } catch (error) {
    if (error instanceof TypeTextFault) return { error: error.fault };
    throw error;
  }
}

function parseShape(cursor: Cursor): TypeShape {
  skipBlanks(cursor);
  const start = cursor.at;
  const written = readName(cursor);
  if (written === "") fail(start, "Expected a type");
  const name = cursor.alias(written) ?? written;
  const lower = name.toLowerCase();
  if (cursor.text[cursor.at] === "<") return parseNested(cursor, start, lower, written);
  if (lower === "struct") return { kind: "struct", fields: null };
  const type = parseType(name);
  if (type !== null) return type;
  if (lower === "list" || lower === "map") {
    fail(start, `"${lower}" needs the type of what it holds, as in "${lower === "list" ? "list<string>" : "map<string, int>"}"`);
  }
  return fail(start, `"${written}" is no type of Iceberg`);
}

function parseNested(cursor: Cursor, start: number, kind: string, written: string): TypeShape {
  if (++cursor.depth > MAX_DEPTH) fail(start, `Types are nested more than ${MAX_DEPTH} deep`);
  cursor.at++;
  let type: TypeShape;
  if (kind === "struct") {
    type = { kind: "struct", fields: parseFields(cursor) };
  } else if (kind === "list") {
    type = { kind: "list", element: parsePart(cursor) };
  } else if (kind === "map") {
    const key = parsePart(cursor);
    expect(cursor, ",", 'Expected "," between the key and the value of a map');
    type = { kind: "map", key: { type: key.type, required: true }, value: parsePart(cursor) };
  } else {
    return fail(start, `"${written}" takes no types in brackets; "struct", "list" and "map" do`);
  }
  expect(cursor, ">", `Expected ">" at the end of the ${kind}`);
  cursor.depth--;
  skipBlanks(cursor);
  return type;
}

function parsePart(cursor: Cursor): PartShape {
  skipBlanks(cursor);
  const marker = /^required\s+(?=\S)/i.exec(cursor.text.slice(cursor.at, cursor.at + 64));
  if (marker !== null) cursor.at += marker[0].length;
  return { type: parseShape(cursor), required: marker !== null };
}

function parseFields(cursor: Cursor): readonly FieldShape[] {
  const fields: FieldShape[] = [];
  const names = new Set<string>();
  skipBlanks(cursor);
  if (cursor.text[cursor.at] === ">") return fields;
  for (;;) {
    skipBlanks(cursor);
    const start = cursor.at;
    const name = cursor.text[start] === '"' ? readQuoted(cursor) : readFieldName(cursor);
    if (name === "") fail(start, "Expected the name of a field");
    if (names.has(name)) fail(start, `The struct has two fields named "${name}"`);
    names.add(name);
    expect(cursor, ":", `Expected ":" and a type after field "${name}"`);
    fields.push({ name, ...parsePart(cursor) });
    skipBlanks(cursor);
    if (cursor.text[cursor.at] !== ",") return fields;
    cursor.at++;
  }
}

/** Everything up to the next sign of nesting; commas inside round or square brackets belong to the name. */
function readName(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  let open = 0;
  for (; cursor.at < text.length; cursor.at++) {
    const sign = text.charAt(cursor.at);
    if (sign === "(" || sign === "[") open++;
    else if (sign === ")" || sign === "]") open--;
    else if (open <= 0 && (sign === "," || sign === "<" || sign === ">" || sign === '"' || sign === ":")) break;
  }
  return text.slice(start, cursor.at).trim();
}

function readFieldName(cursor: Cursor): string {
  const rest = /[,<>:"]/g;
  rest.lastIndex = cursor.at;
  const end = rest.exec(cursor.text)?.index ?? cursor.text.length;
  const name = cursor.text.slice(cursor.at, end).trim();
  if (/\s/.test(name)) fail(cursor.at, `A field name with a blank stands in double quotes: "${name}"`);
  cursor.at = end;
  return name;
}

function readQuoted(cursor: Cursor): string {
  const start = cursor.at;
  let name = "";
  for (let at = start + 1; ; ) {
    const end = cursor.text.indexOf('"', at);
    if (end < 0) return fail(start, "The quoted name that starts here has no end");
    name += cursor.text.slice(at, end);
    if (cursor.text[end + 1] !== '"') {
      cursor.at = end + 1;
      return name;
    }
    name += '"';
    at = end + 2;
  }
}

function expect(cursor: Cursor, sign: string, why: string): void {
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== sign) fail(cursor.at, why);
  cursor.at++;
}

function skipBlanks(cursor: Cursor): void {
  while (/\s/.test(cursor.text.charAt(cursor.at))) cursor.at++;
}

function fail(offset: number, why: string): never {
  throw new TypeTextFault({ offset, why });
}
