// The small languages: types, transforms, field paths and patterns, times, defaults, name mappings, locations, values to
// be converted, the record of a plan. What is read and printed is read as the same.
import { isDeepStrictEqual } from "node:util";
import { readRecord, writeRecord } from "../../../src/action/record.ts";
import { bindConversion, isConverter, CONVERSIONS } from "../../../src/conversion/index.ts";
import { parseByteSize } from "../../../src/desired/config/byte-size.ts";
import { formatTerm, parseTerm } from "../../../src/desired/declaration/transform-term.ts";
import { matchesPath, mayMatchBelow, parsePathGlob } from "../../../src/desired/glob.ts";
import { nearest } from "../../../src/diagnostics/near-spelling.ts";
import { redact } from "../../../src/diagnostics/redact.ts";
import { formatDefault, parseDefault } from "../../../src/iceberg/default-text.ts";
import { formatPath, isPathError, matchesGlob, parseGlob, parsePath } from "../../../src/iceberg/field-path.ts";
import { isWithin, joinLocation, lastPart, localPath, locationKey, parentLocation } from "../../../src/iceberg/location.ts";
import { formatNameMapping, isNameMapping, parseNameMapping } from "../../../src/iceberg/name-mapping.ts";
import { formatTransform, parseTransform, transformProblem } from "../../../src/iceberg/transform.ts";
import type { PrimitiveType } from "../../../src/iceberg/type.ts";
import { formatType, parseType } from "../../../src/iceberg/type-text.ts";
import { parseTypeText } from "../../../src/iceberg/type-text-parse.ts";
import { mutateWords } from "../mutate/text.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";

interface Language {
  readonly seeds: readonly string[];
  /** Is it read? */
  readonly use: (text: string) => boolean;
}

const TYPES: readonly PrimitiveType[] = [
  { kind: "boolean" },
  { kind: "int" },
  { kind: "long" },
  { kind: "float" },
  { kind: "double" },
  { kind: "decimal", precision: 9, scale: 2 },
  { kind: "date" },
  { kind: "time" },
  { kind: "timestamp" },
  { kind: "timestamptz" },
  { kind: "string" },
  { kind: "uuid" },
  { kind: "binary" },
  { kind: "fixed", length: 4 },
];

const RULE = { from: "string", onError: "fail", trim: true, emptyAsNull: false, writersStopped: false } as const;

const LANGUAGES: Readonly<Record<string, Language>> = {
  type: {
    seeds: [
      "decimal(9,2)",
      "list<struct<a: required int, b: map<string, list<long>>>>",
      "fixed[16]",
      "struct",
      "timestamptz_ns",
      "geometry(srid:4326)",
      "map<string, required list<struct>>",
    ],
    use: (text) => {
      const primitive = parseType(text);
      if (primitive !== null) same(primitive, parseType(formatType(primitive)), "type");
      return "type" in parseTypeText(text);
    },
  },
  transform: {
    seeds: ["bucket[16]", "truncate[3]", "identity", "void", "year", "month", "day", "hour", "zorder(a,b)"],
    use: (text) => {
      const transform = parseTransform(text);
      same(transform, parseTransform(formatTransform(transform)), "transform");
      for (const type of TYPES) transformProblem(transform, type);
      return transform.kind !== "unknown";
    },
  },
  term: {
    seeds: ['bucket(16, "a.b".c) as shard', "day(ts)", "truncate(10, items.element.sku)", "customer desc nulls last", "days(a)"],
    use: (text) => {
      const term = parseTerm(text);
      if (!("source" in term)) return false;
      const again = parseTerm(formatTerm(term.transform, term.source));
      same([term.source, term.transform], "source" in again ? [again.source, again.transform] : again, "term");
      return true;
    },
  },
  path: {
    seeds: ["items.element.sku", '"a.b".c', '"say ""hi""".x', "a*.b", "*", "a.*.c*d*"],
    use: (text) => {
      const path = parsePath(text);
      const glob = parseGlob(text);
      if (!isPathError(glob)) {
        matchesGlob(glob, ["a".repeat(200), "b"]);
        matchesGlob(glob, isPathError(path) ? [] : path);
      }
      if (isPathError(path)) return false;
      same(path, parsePath(formatPath(path)), "path");
      return true;
    },
  },
  files: {
    seeds: ["tables/**/*.yaml", "shared/*.yaml", "**/a*b*c*.y?ml", "{a,b}/[c-d].yaml", "a/**/b/**/c/**/*.yaml"],
    use: (text) => {
      const glob = parsePathGlob(text);
      if ("why" in glob) return false;
      const deep = Array.from({ length: 24 }, () => "a");
      matchesPath(glob, deep);
      matchesPath(glob, ["tables", "a".repeat(100), `${"a".repeat(60)}.yaml`]);
      mayMatchBelow(glob, deep);
      return true;
    },
  },
  format: {
    seeds: [
      "yyyyMMdd",
      "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
      "dd'.'MM'.'yyyy",
      "iso",
      "yyyy-MM-dd HH:mm:ss",
      "'it''s' yyyyMMdd",
      "epoch-seconds",
    ],
    use: (text) => {
      const answers = (["date", "timestamp", "timestamptz"] as const).map((kind) => {
        const bound = bindConversion({ ...RULE, format: text }, { kind: "string" }, { kind });
        if (!isConverter(bound)) return false;
        for (const value of ["20240131", "2024-01-31T10:00:00.123456+02:00", "", text]) bound.convert(value);
        return true;
      });
      return answers.includes(true);
    },
  },
  value: {
    seeds: [
      "20240131",
      "2024-01-31T10:20:30.5Z",
      "-12.50",
      "1e10",
      "NaN",
      "true",
      " 7 ",
      "9223372036854775807",
      "00012",
      "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    ],
    use: convertAll,
  },
  default: {
    seeds: [
      "1",
      "-7.25",
      "true",
      "2024-01-31",
      "2024-01-31T10:20:30+00:00",
      "f47ac10b-58cc-4372-a567-0e02b2c3d479",
      "00ff",
      "text",
    ],
    use: (text) => {
      const answers = TYPES.map((type) => {
        const read = parseDefault(text, type);
        if (!("value" in read)) return false;
        const again = parseDefault(formatDefault(read.value, type), type);
        same(read, again, `default of type ${type.kind}`);
        return true;
      });
      return answers.includes(true);
    },
  },
  mapping: {
    seeds: ['[{"field-id":1,"names":["a","b"],"fields":[{"field-id":2,"names":["element"]}]},{"names":["c"]}]'],
    use: (text) => {
      const mapping = parseNameMapping(text);
      if (!isNameMapping(mapping)) return false;
      same(mapping, parseNameMapping(formatNameMapping(mapping)), "name mapping");
      return true;
    },
  },
  location: {
    seeds: [
      "s3://b/wh/t/",
      "s3a://b//x/../y",
      "file:///tmp/a%20b",
      "/abs/path",
      "C:\\x",
      "hdfs://h:8020/x",
      "abfss://c@a.dfs.core.windows.net/x",
    ],
    use: (text) => {
      for (const of of [locationKey, localPath, parentLocation, lastPart]) of(text);
      return isWithin(text, joinLocation(text, "metadata", "v1.json"));
    },
  },
  words: {
    seeds: [
      "https://user:secret@host/x?X-Amz-Signature=abc&token=t",
      "AKIAIOSFODNN7EXAMPLE",
      "Bearer abc.def.ghi",
      "ghp_0123456789abcdef",
      "1.5 GiB",
      "500MB",
    ],
    use: (text) => {
      redact(text);
      nearest(text, ["columns", "partition-by", "environments"]);
      return parseByteSize(text) !== null;
    },
  },
  record: {
    seeds: [
      writeRecord({
        environment: "prod",
        fingerprint: "ab".repeat(32),
        agreement: "cd".repeat(32),
        tables: new Map([["sales.orders", new Map([["ef".repeat(32), "destructive"]])]]),
      }),
    ],
    use: (text) => {
      const record = readRecord(text);
      if (record === null) return false;
      same(record, readRecord(writeRecord(record)), "record");
      return true;
    },
  },
};

/** An input is the name of the language, a line end, and the text. */
export const texts: FuzzTarget = {
  name: "texts",
  about: "types, transforms, paths, globs, formats, values, defaults, mappings, locations, plan records",
  isSeed: () => false,
  open: () => ({
    make: (random) => {
      const name = random.pick(Object.keys(LANGUAGES));
      const seeds = LANGUAGES[name]?.seeds ?? [];
      return new TextEncoder().encode(`${name}\n${mutateWords(random.pick(seeds), random, random.pick(seeds))}`);
    },
    use: (input) => {
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
      const end = text.indexOf("\n");
      const name = text.slice(0, end);
      return useLanguage(name, text.slice(end + 1));
    },
  }),
};

function useLanguage(name: string, text: string): Outcome {
  return LANGUAGES[name]?.use(text) === true ? ACCEPTED : refused(name);
}

/** The same from the text and from its bytes. */
function convertAll(text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  let isRead = false;
  for (const { from, to } of CONVERSIONS) {
    if (from !== "string") continue;
    const type = TYPES.find(({ kind }) => kind === to);
    if (type === undefined) continue;
    for (const format of [undefined, "yyyyMMdd", "iso", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"]) {
      const bound = bindConversion({ ...RULE, ...(format === undefined ? {} : { format }) }, { kind: "string" }, type);
      if (!isConverter(bound)) continue;
      const converted = bound.convert(text);
      same(converted, bound.convertBytes?.(bytes) ?? converted, `value as ${to}`);
      isRead ||= "value" in converted;
    }
  }
  return isRead;
}

function same(one: unknown, other: unknown, what: string): void {
  if (!isDeepStrictEqual(one, other)) throw new WrongAcceptance(`The ${what} is another after it was printed and read`);
}
