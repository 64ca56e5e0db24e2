// A fixed battery of edits of a declaration, as a person would make them: on each field add, rename, drop, move,
// widen, comment; on the table a partition field more and each one less. Data in, data out; plans nothing.
import type { Acknowledgement, DeclaredField, DeclaredType, TableSpec } from "../src/desired/table-spec.ts";
import { formatPath, parsePath } from "../src/iceberg/field-path.ts";
import { parseTransform, transformProblem } from "../src/iceberg/transform.ts";
import { isNested, type PrimitiveType } from "../src/iceberg/type.ts";

export interface CorpusEdit {
  /** `rename items.element.sku`. */
  readonly name: string;
  readonly kind: string;
  readonly spec: TableSpec;
  /** Path of a field that goes, with all that is in it. */
  readonly drops: readonly string[] | null;
  /** Paths before and after. */
  readonly renames: { readonly from: readonly string[]; readonly to: readonly string[] } | null;
  readonly adds: readonly string[] | null;
}

const PLACE = { file: "corpus.yaml", line: 1, column: 1 };
const NEW_NAME = "floeplan_corpus";

type Path = readonly string[];

export function* corpusEdits(spec: TableSpec): Generator<CorpusEdit> {
  for (const { fields, path } of levels(spec.columns)) {
    for (const [index, field] of fields.entries()) yield* fieldEdits(spec, fields, index, [...path, field.name]);
  }
  yield* partitionEdits(spec);
}

interface Level {
  readonly fields: readonly DeclaredField[];
  readonly path: Path;
}

function levels(columns: readonly DeclaredField[]): Level[] {
  const found: Level[] = [{ fields: columns, path: [] }];
  for (let at = 0; at < found.length; at++) {
    const { fields, path } = found[at] ?? { fields: [], path: [] };
    for (const field of fields) found.push(...structsIn(field.type, [...path, field.name]));
  }
  return found;
}

function structsIn(type: DeclaredType, path: Path): Level[] {
  switch (type.kind) {
    case "struct":
      return [{ fields: type.fields, path }];
    case "list":
      return structsIn(type.element.type, [...path, "element"]);
    case "map":
      return [...structsIn(type.key.type, [...path, "key"]), ...structsIn(type.value.type, [...path, "value"])];
    default:
      return [];
  }
}

const NOTHING = { drops: null, renames: null, adds: null };

function* fieldEdits(spec: TableSpec, fields: readonly DeclaredField[], index: number, path: Path): Generator<CorpusEdit> {
  const field = fields[index];
  if (field === undefined) return;
  const level = path.slice(0, -1);
  const about = (kind: string) => ({ name: `${kind} ${formatPath(path)}`, kind, ...NOTHING });
  const put = (next: readonly DeclaredField[]): TableSpec => withFields(spec, level, next);
  const added = newField();
  yield { ...about("add"), spec: put(fields.toSpliced(index + 1, 0, added)), adds: [...level, NEW_NAME] };
  const renamed = { ...field, name: `${field.name}_${NEW_NAME}`, renamedFrom: [{ value: field.name, place: PLACE }] };
  const to = [...level, renamed.name];
  yield { ...about("rename"), spec: moved(put(fields.with(index, renamed)), path, to), renames: { from: path, to } };
  if (fields.length > 1) {
    yield { ...about("drop"), spec: without(put(fields.toSpliced(index, 1)), path), drops: path };
    const others = fields.toSpliced(index, 1);
    yield { ...about("move"), spec: put(index === 0 ? [...others, field] : [field, ...others]) };
  }
  const wider = widened(field.type);
  if (wider !== null) yield { ...about("widen"), spec: put(fields.with(index, { ...field, type: wider, default: undefined })) };
  const comment = { value: `${field.comment?.value ?? ""}${NEW_NAME}`, place: PLACE };
  yield { ...about("comment"), spec: put(fields.with(index, { ...field, comment })) };
}

function newField(): DeclaredField {
  return {
    name: NEW_NAME,
    type: { kind: "string" },
    required: false,
    comment: { value: "new", place: PLACE },
    default: undefined,
    renamedFrom: [],
    convert: null,
    id: null,
    meta: null,
    group: null,
    place: PLACE,
    places: {},
  };
}

/** The promotion that every format version knows; null where there is none. */
function widened(type: DeclaredType): PrimitiveType | null {
  switch (type.kind) {
    case "int":
      return { kind: "long" };
    case "float":
      return { kind: "double" };
    case "decimal":
      return type.precision < 38 ? { ...type, precision: type.precision + 1 } : null;
    default:
      return null;
  }
}

function withFields(spec: TableSpec, level: Path, next: readonly DeclaredField[]): TableSpec {
  if (level.length === 0) return { ...spec, columns: next };
  const [name, ...rest] = level;
  const columns = spec.columns.map((field) => (field.name === name ? { ...field, type: inType(field.type, rest, next) } : field));
  return { ...spec, columns };
}

function inType(type: DeclaredType, path: Path, next: readonly DeclaredField[]): DeclaredType {
  const [word, ...rest] = path;
  switch (type.kind) {
    case "struct":
      if (word === undefined) return { kind: "struct", fields: next };
      return {
        kind: "struct",
        fields: type.fields.map((field) => (field.name === word ? { ...field, type: inType(field.type, rest, next) } : field)),
      };
    case "list":
      return { kind: "list", element: { ...type.element, type: inType(type.element.type, rest, next) } };
    case "map":
      return word === "key"
        ? { ...type, key: { ...type.key, type: inType(type.key.type, rest, next) } }
        : { ...type, value: { ...type.value, type: inType(type.value.type, rest, next) } };
    default:
      return type;
  }
}

/** What names the field follows its new name. */
function moved(spec: TableSpec, from: Path, to: Path): TableSpec {
  const follow = (path: string): string => {
    const segments = segmentsOf(path);
    return from.every((name, index) => segments[index] === name) ? formatPath([...to, ...segments.slice(from.length)]) : path;
  };
  return mapPaths(spec, follow);
}

/** Acknowledged, and out of the layout. */
function without(spec: TableSpec, path: Path): TableSpec {
  const dropped: Acknowledgement = { field: formatPath(path), reason: "corpus", place: PLACE };
  return {
    ...mapPaths(spec, (one) => (path.every((name, index) => segmentsOf(one)[index] === name) ? null : one)),
    dropped: [dropped],
  };
}

/** Null takes the entry out. */
function mapPaths(spec: TableSpec, change: (path: string) => string | null): TableSpec {
  const onSource = <T extends { readonly source: string }>(fields: readonly T[] | undefined): readonly T[] | undefined =>
    fields?.flatMap((field) => {
      const source = change(field.source);
      return source === null ? [] : [{ ...field, source }];
    });
  return {
    ...spec,
    identifierFields: spec.identifierFields?.flatMap((field) => {
      const value = change(field.value);
      return value === null ? [] : [{ ...field, value }];
    }),
    partitionBy: onSource(spec.partitionBy),
    sortBy: onSource(spec.sortBy),
  };
}

function segmentsOf(path: string): Path {
  const segments = parsePath(path);
  return Array.isArray(segments) ? segments : [path];
}

const TRANSFORMS = ["bucket[4]", "truncate[3]", "day", "identity"] as const;

function* partitionEdits(spec: TableSpec): Generator<CorpusEdit> {
  const present = spec.partitionBy ?? [];
  for (const field of spec.columns) {
    const { type } = field;
    if (isNested(type as never) || type.kind === "struct" || type.kind === "list" || type.kind === "map") continue;
    const source = formatPath([field.name]);
    const transform = TRANSFORMS.find(
      (one) =>
        transformProblem(parseTransform(one), type) === null &&
        !present.some((other) => other.source === source && (other.transform === one || sameFamily(other.transform, one))),
    );
    if (transform === undefined) continue;
    const partitionBy = [...present, { source, transform, name: null, place: PLACE }];
    yield {
      name: `partition by ${transform} ${source}`,
      kind: "add partition field",
      spec: { ...spec, partitionBy },
      ...NOTHING,
    };
  }
  for (const [index, { transform, source }] of present.entries()) {
    const partitionBy = present.toSpliced(index, 1);
    yield {
      name: `no partition by ${transform} ${source}`,
      kind: "remove partition field",
      spec: { ...spec, partitionBy },
      ...NOTHING,
    };
  }
}

/** The format refuses a second time transform of one column. */
function sameFamily(one: string, other: string): boolean {
  const time = /^(?:year|month|day|hour)$/;
  return time.test(one) && time.test(other);
}
