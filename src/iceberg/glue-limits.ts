// What Glue refuses to keep of a table: lengths and characters of its API model (2017-03-31) and the size of one
// request. Comments are no problem: Glue's copy of them is cut to fit.
import type { CatalogProblem } from "./catalog-state.ts";
import { formatPath } from "./field-path.ts";
import { nameKey } from "./glue-columns.ts";
import { type GlueTableInput, POINTER_PARAMETERS } from "./glue-entry.ts";
import { shortened } from "./glue-input.ts";
import { isSingleLine } from "./glue-text.ts";
import { fieldPath } from "./schema-index.ts";
import type { Schema } from "./type.ts";
import { type SchemaNode, walkFields } from "./walk.ts";

const MAX_NAME = 255;
const MAX_TYPE = 131_072;
const MAX_LOCATION = 2056;
const MAX_PARAMETER_VALUE = 512_000;

/**
 * Glue tells no limit, and answers "Payload size of request exceeded limit" to lists of some 3,600 columns (seen
 * 2026-01): requests above this size are shortened before they are sent, and any that Glue finds too large is sent
 * again shortened.
 */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** A list that lacks every comment and mark was shortened if the whole one is at least this large. */
export const SHORTENED_FROM_BYTES = 256 * 1024;

/** `live` is the schema that is current now; null for a table that is new. */
export function glueProblems(schema: Schema, live: Schema | null, input: GlueTableInput): readonly CatalogProblem[] {
  return [
    ...nameProblems(schema),
    ...letterCaseProblems(schema, live),
    ...columnProblems(input),
    ...entryProblems(input),
    ...sizeProblems(input),
  ];
}

export function requestBytes(input: GlueTableInput): number {
  return Buffer.byteLength(JSON.stringify(input));
}

function nameProblems(schema: Schema): CatalogProblem[] {
  const problems: CatalogProblem[] = [];
  for (const node of walkFields(schema.fields)) {
    const path = fieldPath(schema, node.id);
    if (path === undefined || isSingleLine(node.name)) continue;
    problems.push({
      what: `Cannot list "${path}" in Glue`,
      why: "Its name holds a control character or a broken one, which Glue does not take",
      mend: "Rename the field",
      path,
    });
  }
  return problems;
}

/** Names of one struct that only letter case tells apart; what is so already is no reason to refuse another change. */
function letterCaseProblems(schema: Schema, live: Schema | null): CatalogProblem[] {
  const known = new Set((live === null ? [] : letterCaseTwins(live)).map(twinKey));
  return letterCaseTwins(schema)
    .filter((twins) => !known.has(twinKey(twins)))
    .map(([first, second]) => {
      const path = fieldPath(schema, second.id) ?? second.name;
      return {
        what: `Cannot list "${path}" in Glue beside "${fieldPath(schema, first.id) ?? first.name}"`,
        why: "Glue's readers do not tell upper from lower case, and Athena reads no table that has both names",
        mend: "Rename one of the two",
        path,
      };
    });
}

type Twins = readonly [SchemaNode, SchemaNode];

function letterCaseTwins(schema: Schema): readonly Twins[] {
  const twins: Twins[] = [];
  const firsts = new Map<SchemaNode | null, Map<string, SchemaNode>>();
  for (const node of walkFields(schema.fields)) {
    const siblings = firsts.get(node.parent) ?? new Map<string, SchemaNode>();
    firsts.set(node.parent, siblings);
    const first = siblings.get(nameKey(node.name));
    if (first === undefined) siblings.set(nameKey(node.name), node);
    else twins.push([first, node]);
  }
  return twins;
}

function twinKey([first, second]: Twins): string {
  return `${first.id} ${first.name} ${second.id} ${second.name}`;
}

function columnProblems(input: GlueTableInput): CatalogProblem[] {
  const problems: CatalogProblem[] = [];
  for (const { Name: name = "", Type: type = "" } of input.StorageDescriptor?.Columns ?? []) {
    const path = formatPath([name]);
    if (name === "" || name.length > MAX_NAME)
      problems.push({
        what: `Cannot list "${path}" in Glue`,
        why: `Its name has ${name.length} characters, and Glue takes 1 to ${MAX_NAME}`,
        mend: "Rename the column",
        path,
      });
    if (type.length > MAX_TYPE)
      problems.push({
        what: `Cannot list the type of "${path}" in Glue`,
        why: `Written out it has ${grouped(type.length)} characters, and Glue takes ${grouped(MAX_TYPE)}`,
        mend: "Divide the column into several, or shorten the names of its fields",
        path,
      });
  }
  return problems;
}

function entryProblems(input: GlueTableInput): CatalogProblem[] {
  const { Location: location = "", AdditionalLocations: others = [] } = input.StorageDescriptor ?? {};
  const problems: CatalogProblem[] = [];
  for (const one of [location, ...others]) {
    if (one.length <= MAX_LOCATION && isSingleLine(one)) continue;
    problems.push({
      what: `Cannot put the table at "${one.slice(0, 80)}${one.length > 80 ? "…" : ""}"`,
      why: `Glue takes locations of at most ${grouped(MAX_LOCATION)} characters without control characters; this one has ${grouped(one.length)}`,
      mend: "Choose another location",
    });
  }
  for (const [key, value] of Object.entries(input.Parameters ?? {})) {
    const why = parameterFault(key, value);
    if (why === null) continue;
    problems.push({
      what: POINTER_PARAMETERS.has(key) ? "Cannot point Glue to the metadata file" : `Cannot set the Glue parameter "${key}"`,
      why,
      mend: POINTER_PARAMETERS.has(key) ? "Choose a shorter location" : "Shorten it, or keep it out of Glue",
      parameter: key,
    });
  }
  return problems;
}

function parameterFault(key: string, value: string): string | null {
  if (key === "" || key.length > MAX_NAME || !isSingleLine(key))
    return `Glue takes keys of 1 to ${MAX_NAME} characters without control characters`;
  if (value.length > MAX_PARAMETER_VALUE)
    return `its value has ${grouped(value.length)} characters, and Glue takes ${grouped(MAX_PARAMETER_VALUE)}`;
  return null;
}

function sizeProblems(input: GlueTableInput): CatalogProblem[] {
  const bytes = requestBytes(shortened(input));
  if (bytes <= MAX_REQUEST_BYTES) return [];
  const columns = input.StorageDescriptor?.Columns?.length ?? 0;
  return [
    {
      what: `Cannot list ${grouped(columns)} columns in Glue`,
      why: `Names and types alone make a request of ${grouped(bytes)} bytes, and Glue takes about ${grouped(MAX_REQUEST_BYTES)}`,
      mend: "Divide the table, or gather columns that are seldom asked for in a map",
    },
  ];
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
