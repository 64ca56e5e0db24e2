// The Avro container and its values: compared with what fastavro reads from files of Spark, Impala, BigQuery, DuckDB
// and PyIceberg (fastavro.json), with the Avro specification's own examples, and with damaged files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { newAvroFile, openAvroFile } from "../../src/iceberg/avro-container.ts";
import { cursorOver, readInt, readLong, readString } from "../../src/iceberg/avro-cursor.ts";
import { skipValue } from "../../src/iceberg/avro-decode.ts";
import type { AvroSchema } from "../../src/iceberg/avro-schema.ts";
import { parseAvroSchema } from "../../src/iceberg/avro-schema.ts";
import { avroSchemaToJson } from "../../src/iceberg/avro-schema-json.ts";
import { decompressSnappy } from "../../src/iceberg/avro-snappy.ts";
import { newSink, takeBytes, writeInt, writeLong, writeString } from "../../src/iceberg/avro-sink.ts";
import { type AvroValue, encodeValue, readAvroValues } from "../../src/iceberg/avro-value.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import { bytesOf, CONTRACTORS, EVENTS, hexOf, kept, MANIFESTS, toolErrorOf } from "./manifest-support.ts";

interface Expected {
  readonly count: number;
  readonly rows: readonly unknown[];
}

const FASTAVRO: Readonly<Record<string, Expected>> = JSON.parse(readFileSync(join(MANIFESTS, "fastavro.json"), "utf8"));

// The form of fastavro.json: longs beyond 2^53, bytes and special floats are marked.
function plain(value: AvroValue): unknown {
  if (value instanceof Uint8Array) return { hex: hexOf(value) };
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : { long: String(value) };
  if (typeof value === "number" && Object.is(value, -0)) return { float: "-0" };
  if (typeof value === "number" && !Number.isFinite(value))
    return { float: String(value).toLowerCase().replace("infinity", "inf") };
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  }
  return value;
}

function write(schema: AvroSchema, values: readonly AvroValue[], codec: "null" | "deflate" = "null"): Uint8Array {
  const file = newAvroFile({ schema, codec, metadata: { "a-key": "ü" } });
  for (const value of values) file.append((sink) => encodeValue(sink, schema, value));
  return file.finish();
}

function values(bytes: Uint8Array): AvroValue[] {
  return [...readAvroValues(openAvroFile(bytes, "/t/x.avro"))];
}

describe("a file of another writer", () => {
  it.each(Object.keys(FASTAVRO))("%s reads as fastavro reads it", (name) => {
    const rows = [...readAvroValues(openAvroFile(kept(name), name))].map(plain);
    const expected = FASTAVRO[name];
    expect(rows.length).toBe(expected?.count);
    expect(rows.slice(0, expected?.rows.length)).toEqual(expected?.rows);
  });

  it("keeps its header beside Avro's own entries", () => {
    const file = openAvroFile(kept(EVENTS.data), "x");
    expect(file.codec).toBe("deflate");
    expect([...file.metadata.keys()].sort()).toEqual([
      "content",
      "format-version",
      "iceberg.schema",
      "partition-spec",
      "partition-spec-id",
      "schema",
    ]);
    expect(new TextDecoder().decode(file.metadata.get("content"))).toBe("data");
  });

  it.each(["snappy.avro", "zstd.avro"])("%s holds the same rows twelve times in several blocks", (name) => {
    const once = values(kept(CONTRACTORS.data));
    const file = openAvroFile(kept(name), name);
    let blocks = 0;
    for (const { cursor } of file.blocks()) {
      blocks++;
      cursor.position = cursor.end;
    }
    expect(blocks).toBeGreaterThan(1);
    expect(values(kept(name))).toEqual(Array.from({ length: 12 }, () => once).flat());
  });
});

describe("binary primitives", () => {
  // Avro specification, "Primitive Types": zig-zag examples; and the ends of 64 bits.
  it.each([
    [0n, "00"],
    [-1n, "01"],
    [1n, "02"],
    [-2n, "03"],
    [2n, "04"],
    [-64n, "7f"],
    [64n, "8001"],
    [2n ** 63n - 1n, "feffffffffffffffff01"],
    [-(2n ** 63n), "ffffffffffffffffff01"],
  ])("write %s as %s", (value, hex) => {
    const sink = newSink();
    writeLong(sink, value);
    const bytes = takeBytes(sink);
    expect(hexOf(bytes)).toBe(hex);
    expect(readLong(cursorOver(bytes, "x"))).toBe(value);
  });

  it("are exact around every power of two", () => {
    for (let power = 0n; power < 63n; power++) {
      for (const near of [2n ** power - 1n, 2n ** power, 2n ** power + 1n]) {
        for (const value of [near, -near, near * 3n > 2n ** 62n ? near : near * 3n]) {
          const sink = newSink();
          writeLong(sink, value);
          expect(readLong(cursorOver(takeBytes(sink), "x"))).toBe(value);
        }
      }
    }
  });

  it("give every long and int back exactly", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.integer(),
        fc.string({ unit: "binary" }),
        (long, int, text) => {
          const sink = newSink();
          writeLong(sink, long);
          writeInt(sink, int);
          writeString(sink, text);
          writeLong(sink, BigInt(int));
          const cursor = cursorOver(takeBytes(sink), "x");
          expect(readLong(cursor)).toBe(long);
          expect(readInt(cursor)).toBe(int);
          expect(readString(cursor)).toBe(text);
          expect(readLong(cursor)).toBe(BigInt(int));
          expect(cursor.position).toBe(cursor.end);
        },
      ),
    );
  });

  it("write text whose length takes more bytes than its character count does", () => {
    for (const length of [63, 64, 65, 8191, 8192]) {
      for (const unit of ["a", "é", "語", "😀"]) {
        const sink = newSink();
        writeString(sink, unit.repeat(length));
        expect(readString(cursorOver(takeBytes(sink), "x"))).toBe(unit.repeat(length));
      }
    }
  });

  it.each([
    ["ffffffffffffffffff02", "A number is longer than 64 bits"],
    ["ffffffffffffffffffff01", "A number is longer than 64 bits"],
    ["ff", "The file ends in the middle of a number"],
  ])("refuse the number %s", (hex, why) => {
    expect(toolErrorOf(() => readLong(cursorOver(bytesOf(hex), "x"))).why).toBe(why);
  });

  it("refuse an int beyond 32 bits", () => {
    const sink = newSink();
    writeLong(sink, 2n ** 31n);
    expect(toolErrorOf(() => readInt(cursorOver(takeBytes(sink), "x"))).why).toBe("An int is outside of 32 bits");
  });
});

const SCHEMA = `{"type":"record","name":"row","namespace":"n.s","fields":[
  {"name":"text","type":"string","doc":"a text","field-id":1},
  {"name":"maybe","type":["null",{"type":"long","logicalType":"timestamp-micros","adjust-to-utc":true}],"default":null,"field-id":2},
  {"name":"late","type":["int","null"]},
  {"name":"mixed","type":["null","string","long",{"type":"fixed","name":"four","size":4}]},
  {"name":"list","type":{"type":"array","items":{"type":"record","name":"pair","fields":[{"name":"a","type":"int"},{"name":"b","type":["null","pair2"]}]},"element-id":9}}
]}`.replace('["null","pair2"]', '["null","four"]');

describe("a schema", () => {
  it("keeps field ids, element ids, logical types, docs and defaults, and names by reference", () => {
    const text = SCHEMA.replace(/\n\s*/g, "").replace('"namespace":"n.s",', "");
    const schema = parseAvroSchema(text, "x");
    expect(writeJson(avroSchemaToJson(schema))).toBe(text);
  });

  it("finds a name in its namespace", () => {
    expect(() => parseAvroSchema(SCHEMA, "x")).not.toThrow();
  });

  it.each([
    ['{"type":"record","name":"a","fields":[{"name":"next","type":["null","a"]}]}', 'The type "a" contains itself'],
    ['{"type":"record","name":"a","fields":[{"name":"x","type":"b"}]}', 'The type "b" is not defined before its use'],
    [
      '{"type":"record","name":"a","fields":[{"name":"x","type":"int"},{"name":"x","type":"int"}]}',
      'The record "a" has two fields of one name',
    ],
    ['{"type":"fixed","name":"f","size":-1}', 'The fixed type "f" has no valid size'],
    ['{"type":"record","name":"a"}', 'The record "a" has no fields'],
    ['{"type":"enum","name":"e","symbols":[]}', 'The enum "e" has no symbols'],
    ["[]", "A union has no branches"],
    ['["null",["int","null"]]', "A union holds another union"],
    ["7", "A type is neither a name, a list nor an object"],
    ["{}", "A type has no `type`"],
  ])("is refused: %s", (text, why) => {
    const error = toolErrorOf(() => parseAvroSchema(text, "/t/x.avro"));
    expect([error.kind, error.why]).toEqual(["corrupt", why]);
  });

  it("is refused when it is nested without end or multiplies by references", () => {
    expect(toolErrorOf(() => parseAvroSchema(`${'{"type":"array","items":'.repeat(70)}"int"${"}".repeat(70)}`, "x")).why).toMatch(
      /nested deeper/,
    );
    let text = '{"type":"record","name":"r0","fields":[{"name":"x","type":"int"}]}';
    for (let level = 1; level < 30; level++) {
      text = `{"type":"record","name":"r${level}","fields":[{"name":"a","type":${text}},{"name":"b","type":"r${level - 1}"}]}`;
    }
    expect(toolErrorOf(() => parseAvroSchema(text, "x")).why).toMatch(/more than 10000 types/);
  });

  it("gives two different types of one name two names", () => {
    const one: AvroSchema = { kind: "fixed", name: "f", size: 2, attributes: {} };
    const two: AvroSchema = { kind: "fixed", name: "f", size: 3, attributes: {} };
    const field = (name: string, schema: AvroSchema) => ({ name, schema, attributes: {} });
    const record: AvroSchema = {
      kind: "record",
      name: "r",
      fields: [field("a", one), field("b", two), field("c", { ...one })],
      attributes: {},
    };
    expect(avroSchemaToJson(record)).toEqual({
      type: "record",
      name: "r",
      fields: [
        { name: "a", type: { type: "fixed", name: "f", size: 2 } },
        { name: "b", type: { type: "fixed", name: "f_2", size: 3 } },
        { name: "c", type: "f" },
      ],
    });
  });
});

// By the format description of google/snappy: a length, then literals and copies of three widths.
describe("a Snappy block", () => {
  it.each([
    ["a copy with one byte of offset", "080c616263640104", "abcdabcd"],
    ["a copy with two bytes of offset", "080c616263640e0400", "abcdabcd"],
    ["a copy with four bytes of offset", "080c616263640f04000000", "abcdabcd"],
    ["a copy into itself", "0700610901", "aaaaaaa"],
    ["a literal with its length behind the tag", "04f00361626364", "abcd"],
    ["nothing", "00", ""],
  ])("with %s is read", (_, hex, text) => {
    expect(new TextDecoder().decode(decompressSnappy(bytesOf(hex), 100))).toBe(text);
  });

  it.each([
    ["a copy from before its start", "080c616263640105", "a copy reaches outside"],
    ["a copy from nowhere", "080c616263640100", "a copy reaches outside"],
    ["more than it says", "050c616263640104", "a copy reaches outside"],
    ["less than it says", "090c616263640104", "it is shorter than it says"],
    ["a literal beyond its end", "080c6162", "a literal is too long"],
    ["half a copy", "080c616263640e04", "it ends too early"],
    ["no length", "", "it has no length"],
    ["a length that it cannot have", "ffff7f0061", "its length cannot be right"],
    ["a length beyond the limit", "6500", "it would grow to 101 bytes"],
  ])("with %s is refused", (_, hex, why) => {
    expect(() => decompressSnappy(bytesOf(hex), hex === "ffff7f0061" ? 1e9 : 100)).toThrow(why);
  });

  it("of four-byte copies that reach beyond 64 KB is read", () => {
    const filler = new Uint8Array(70_000).fill(7);
    filler.set([1, 2, 3, 4]);
    const literal = [0xf8, 0x6f, 0x11, 0x01];
    const copy = [0x0f, 0x70, 0x11, 0x01, 0x00];
    const input = Uint8Array.from([0xf4, 0xa2, 0x04, ...literal, ...filler, ...copy]);
    expect(decompressSnappy(input, 100_000).subarray(-4)).toEqual(Uint8Array.of(1, 2, 3, 4));
  });
});

// Schema and values that fit it, of every type that Avro has.
const LEAVES: readonly fc.Arbitrary<readonly [AvroSchema, fc.Arbitrary<AvroValue>]>[] = [
  fc.constant([{ kind: "boolean", attributes: {} }, fc.boolean()] as const),
  fc.constant([{ kind: "int", attributes: { logicalType: "date" } }, fc.integer()] as const),
  fc.constant([{ kind: "long", attributes: {} }, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })] as const),
  fc.constant([{ kind: "float", attributes: {} }, fc.float()] as const),
  fc.constant([{ kind: "double", attributes: {} }, fc.double()] as const),
  fc.constant([{ kind: "bytes", attributes: {} }, fc.uint8Array()] as const),
  fc.constant([{ kind: "string", attributes: {} }, fc.string({ unit: "grapheme" })] as const),
  fc.constant([{ kind: "fixed", name: "f", size: 3, attributes: {} }, fc.uint8Array({ minLength: 3, maxLength: 3 })] as const),
  fc.constant([{ kind: "enum", name: "e", symbols: ["A", "B"], attributes: {} }, fc.constantFrom("A", "B")] as const),
];

type Typed = readonly [AvroSchema, fc.Arbitrary<AvroValue>];

const { typed } = fc.letrec<{ typed: Typed; leaf: Typed; nested: Typed }>((tie) => ({
  leaf: fc.oneof(...LEAVES),
  typed: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("nested")),
  nested: fc.oneof(
    tie("typed").map(
      ([items, one]): Typed => [{ kind: "array", items, attributes: { "element-id": 5 } }, fc.array(one, { maxLength: 4 })],
    ),
    tie("typed").map(([inner, one]): Typed => {
      return [
        { kind: "map", values: inner, attributes: {} },
        fc.array(fc.tuple(fc.string(), one), { maxLength: 3 }).map((pairs) => new Map(pairs)),
      ];
    }),
    tie("leaf").map(([branch, one]): Typed => {
      return [{ kind: "union", branches: [{ kind: "null", attributes: {} }, branch] }, fc.option(one, { nil: null })];
    }),
    fc.array(tie("typed"), { minLength: 1, maxLength: 3 }).map((members): Typed => {
      const fields = members.map(([schema], index) => ({ name: `m${index}`, schema, attributes: { "field-id": index } }));
      const value = fc
        .tuple(...members.map(([, one]) => one))
        .map((ones) => Object.fromEntries(ones.map((one, index) => [`m${index}`, one])));
      return [{ kind: "record", name: `r${fields.length}`, fields, attributes: {} }, value];
    }),
  ),
}));

describe("a file that we write", () => {
  it("reads back equal, whatever is in it", () => {
    const rows = typed.chain(([schema, one]) => fc.tuple(fc.constant(schema), fc.array(one, { maxLength: 5 }), fc.boolean()));
    fc.assert(
      fc.property(rows, ([inner, list, deflated]) => {
        const schema: AvroSchema = {
          kind: "record",
          name: "top",
          fields: [{ name: "x", schema: inner, attributes: {} }],
          attributes: {},
        };
        const objects = list.map((x) => ({ x }));
        const bytes = write(schema, objects, deflated ? "deflate" : "null");
        expect(values(bytes)).toEqual(objects);
        expect(write(schema, objects, deflated ? "deflate" : "null")).toEqual(bytes);
      }),
      { numRuns: 100 },
    );
  });

  it("is cut into blocks of some 64 KB", () => {
    const schema = parseAvroSchema('{"type":"record","name":"r","fields":[{"name":"x","type":"bytes"}]}', "x");
    const objects = Array.from({ length: 300 }, (_, index) => ({ x: new Uint8Array(1000).fill(index) }));
    const file = openAvroFile(write(schema, objects, "deflate"), "x");
    let blocks = 0;
    for (const { count, cursor } of file.blocks()) {
      blocks++;
      expect(count).toBeLessThanOrEqual(65);
      cursor.position = cursor.end;
    }
    expect(blocks).toBe(5);
    const lengths = values(write(schema, objects)).length;
    expect(lengths).toBe(300);
  });

  it("may hold nothing", () => {
    const schema = parseAvroSchema('{"type":"record","name":"r","fields":[]}', "x");
    expect(values(write(schema, []))).toEqual([]);
  });
});

describe("a damaged file", () => {
  const whole = kept("uuid-partition.avro");

  // Reading must end, with rows or with a ToolError that a person can understand; nothing else.
  function readOrFail(bytes: Uint8Array): string {
    try {
      return `${values(bytes).length} rows`;
    } catch (error) {
      if (error instanceof ToolError) return error.kind;
      throw error;
    }
  }

  it("is refused wherever it is cut, except between blocks", () => {
    for (let length = 0; length < whole.length; length += 5) {
      const end = readOrFail(whole.subarray(0, length));
      expect(["corrupt", "0 rows", "1 rows"]).toContain(end);
    }
  });

  it("never hangs or runs away when bytes change", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("uuid-partition.avro", "snappy.avro", "zstd.avro", CONTRACTORS.list),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (name, changes) => {
          const bytes = kept(name).slice();
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          expect(readOrFail(bytes)).toMatch(/rows|corrupt|unsupported/);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("names the file and the offset", () => {
    const error = toolErrorOf(() => values(whole.subarray(0, whole.length - 20)));
    expect(error.kind).toBe("corrupt");
    expect(error.message).toBe('Cannot read the Avro file "/t/x.avro"');
    expect(error.context.file).toBe("/t/x.avro");
    expect(Number(error.context.offset)).toBeGreaterThan(4000);
  });

  it("is refused when a block does not end with the sync marker", () => {
    const bytes = whole.slice();
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    expect(toolErrorOf(() => values(bytes)).why).toBe("A block does not end with the file's sync marker");
  });

  it("is refused when a block holds more than its objects", () => {
    const schema = parseAvroSchema('{"type":"record","name":"r","fields":[{"name":"x","type":"int"}]}', "x");
    const file = newAvroFile({ schema, codec: "null", metadata: {} });
    file.append((sink) => {
      writeInt(sink, 1);
      writeInt(sink, 2);
    });
    expect(toolErrorOf(() => values(file.finish())).why).toBe("A block holds more than its objects");
  });

  it("is refused when the checksum of a Snappy block does not match", () => {
    const bytes = kept("snappy.avro").slice();
    const lastOfChecksum = bytes.length - 16 - 1;
    bytes[lastOfChecksum] = (bytes[lastOfChecksum] ?? 0) ^ 1;
    const error = toolErrorOf(() => values(bytes));
    expect([error.why, String(error.cause)]).toEqual(["A block cannot be decompressed", "Error: its checksum does not match"]);
  });

  it("is refused when it is no Avro file", () => {
    expect(toolErrorOf(() => openAvroFile(new TextEncoder().encode("PAR1 and more"), "x")).why).toBe(
      "It is not an Avro object container file",
    );
    expect(toolErrorOf(() => openAvroFile(new Uint8Array(0), "x")).kind).toBe("corrupt");
  });

  it("is refused when its codec is not known", () => {
    const schema = parseAvroSchema('{"type":"record","name":"r","fields":[{"name":"x","type":"int"}]}', "x");
    const bytes = newAvroFile({ schema, codec: "null", metadata: { "avro.codec": "xz" } }).finish();
    const error = toolErrorOf(() => openAvroFile(bytes, "x"));
    expect([error.kind, error.why]).toEqual([
      "unsupported",
      'It is compressed with "xz"; only null, deflate, snappy, zstandard can be read',
    ]);
  });

  // A count of two thousand million items in a block of a few bytes.
  it.each([
    [
      "a list longer than its bytes",
      { kind: "int", attributes: {} },
      "80a8d6b90e00",
      "A list has more items than bytes are left",
    ],
    [
      "a list with a negative size",
      { kind: "int", attributes: {} },
      "010101",
      "The size of a list is negative or larger than what is left",
    ],
    ["a list of nothings", { kind: "null", attributes: {} }, "8001", /a list of values that take room/],
  ] as const)("with %s is refused before anything is allocated", (_, items, hex, why) => {
    const schema: AvroSchema = {
      kind: "record",
      name: "r",
      fields: [{ name: "x", schema: { kind: "array", items, attributes: {} }, attributes: {} }],
      attributes: {},
    };
    const file = newAvroFile({ schema, codec: "null", metadata: {} });
    file.append((sink) => {
      for (const byte of bytesOf(hex)) sink.bytes[sink.length++] = byte;
    });
    expect(toolErrorOf(() => values(file.finish())).why).toMatch(why);
  });

  it("that claims many values without room costs no time to read over", () => {
    const nothings: AvroSchema = { kind: "array", items: { kind: "null", attributes: {} }, attributes: {} };
    const record: AvroSchema = {
      kind: "record",
      name: "r",
      fields: [{ name: "x", schema: nothings, attributes: {} }],
      attributes: {},
    };
    const sink = newSink();
    // 200,000 blocks of the list, each of 32,000 nothings.
    for (let count = 0; count < 200_000; count++) writeInt(sink, 32_000);
    writeInt(sink, 0);
    const bytes = takeBytes(sink);
    const cursor = cursorOver(bytes.subarray(0, bytes.length), "x");
    const start = performance.now();
    expect(() => skipValue(record)(cursor)).toThrow(ToolError);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("cannot claim a decompressed size that it does not have", () => {
    const claims: readonly (readonly [string, string])[] = [
      // Snappy: a length of 2 GiB, then one literal.
      ["snappy", "ffffffff070061aabbccdd"],
      // Zstandard: a single segment of 2^56 bytes; a window of 3.75 TiB.
      ["zstandard", "28b52ffde00000000000000001010000"],
      ["zstandard", "28b52ffd00ff010000"],
    ];
    for (const [codec, hex] of claims) {
      const schema = parseAvroSchema('{"type":"record","name":"r","fields":[{"name":"x","type":"int"}]}', "x");
      const header = newAvroFile({ schema, codec: "null", metadata: { "avro.codec": codec } }).finish();
      const sink = newSink();
      writeInt(sink, 1);
      writeInt(sink, hex.length / 2);
      const bytes = Buffer.concat([header, takeBytes(sink), bytesOf(hex), header.subarray(header.length - 16)]);
      const error = toolErrorOf(() => values(new Uint8Array(bytes)));
      expect([error.kind, error.why]).toEqual(["corrupt", "A block cannot be decompressed"]);
    }
  });
});
