// Slices of members and elements are what the platform's parser finds in the same text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { positionAt, scanArray, scanObject } from "../../src/iceberg/json-scan.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (slice: Uint8Array): string => new TextDecoder().decode(slice);
const anyKey = fc.oneof(fc.string(), fc.string({ unit: "binary-ascii" }), fc.constantFrom('"', "\\", 'a\\"b', "}", "é"));
const object = fc.dictionary(anyKey, fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), { noNullPrototype: true });
const layout = fc.constantFrom(undefined, 1, 3, "\t", "\r\n");

describe("scanObject", () => {
  it("finds every member with its value's bytes", () => {
    fc.assert(
      fc.property(object, layout, (value, indent) => {
        const members = scanObject(bytes(JSON.stringify(value, null, indent)));
        expect(members.map(({ key, value: slice }): [string, unknown] => [key, JSON.parse(text(slice))])).toEqual(
          Object.entries(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
        );
      }),
    );
  });

  it("gives the elements of members that are arrays, and of these only", () => {
    const members = scanObject(bytes('{"a":[1,"]",[2],{"x":"\\""} ],"b":{"c":[1]},"d":[ ]}'));
    expect(members.map(({ elements }) => elements?.map(text) ?? null)).toEqual([["1", '"]"', "[2]", '{"x":"\\""}'], null, []]);
  });

  it("shares the memory it was given, wherever that begins", () => {
    const padded = bytes('xx{"a":"b"}').subarray(2);
    const [member] = scanObject(padded);
    expect(member?.value.buffer).toBe(padded.buffer);
    expect(member?.value.byteOffset).toBe(2 + 5);
  });

  it("skips a byte order mark and blanks around the object", () => {
    expect(scanObject(new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(' { "a" : 1 } \n')])).map(({ key }) => key)).toEqual(["a"]);
  });

  it("gives a key that stands twice twice", () => {
    expect(scanObject(bytes('{"a":1,"a":2}')).map(({ value }) => text(value))).toEqual(["1", "2"]);
  });

  it.each([
    "",
    "[]",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    "{a:1}",
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1}}',
    '{"a":[1}',
    '{"a":{"b":[}}',
    '{"a":{"b":[1}]}',
    '{"a":"b}',
    '{"a":"\\"}',
    '{"a":[1 2]}',
    '{"a":[,]}',
    '{"a":}',
  ])("refuses %j", (source) => {
    expect(() => scanObject(bytes(source))).toThrow(ToolError);
  });

  it("refuses what is nested too deep", () => {
    const nested = (depth: number): Uint8Array => bytes(`{"a":{"b":${"[".repeat(depth)}${"]".repeat(depth)}}}`);
    expect(() => scanObject(nested(999))).not.toThrow();
    expect(() => scanObject(nested(1000))).toThrow(expect.objectContaining({ kind: "corrupt" }));
  });
});

describe("scanArray", () => {
  it("finds every element, whatever the strings hold and however long they are", () => {
    const strings = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string({ minLength: 60, maxLength: 90, unit: fc.constantFrom("\\", '"', "a", "é") }),
      ),
    );
    fc.assert(
      fc.property(strings, layout, (value, indent) => {
        expect(scanArray(bytes(JSON.stringify(value, null, indent))).map((slice): unknown => JSON.parse(text(slice)))).toEqual(
          value,
        );
      }),
    );
  });

  it("refuses what is no array", () => {
    expect(() => scanArray(bytes("{}"))).toThrow(ToolError);
    expect(() => scanArray(bytes("[1] 2"))).toThrow(ToolError);
  });
});

describe("positionAt", () => {
  it("counts lines and columns from one", () => {
    const source = bytes("ab\ncd\n\nx");
    expect([0, 1, 3, 4, 6, 7].map((offset) => positionAt(source, offset))).toEqual([
      { line: 1, column: 1, offset: 0 },
      { line: 1, column: 2, offset: 1 },
      { line: 2, column: 1, offset: 3 },
      { line: 2, column: 2, offset: 4 },
      { line: 3, column: 1, offset: 6 },
      { line: 4, column: 1, offset: 7 },
    ]);
  });
});
