// A YAML document as plain data: scalars with their source text, lists, maps, each with its range. Knows neither
// the library that reads YAML nor what any key means.
import type { JsonObject, JsonValue } from "../../iceberg/json.ts";
import type { Span } from "./source-text.ts";

export type ScalarValue = null | boolean | number | bigint | string;

export interface ScalarNode extends Span {
  readonly kind: "scalar";
  /** By the core schema of YAML 1.2. */
  readonly value: ScalarValue;
  /** What was written, without quotes and escapes: `1.10`, `011122223333`, `null`. */
  readonly text: string;
  readonly style: "plain" | "single" | "double" | "block";
}

/** In block style a collection ends where its last value ends, and a literal text where its last word ends. */
export interface ListNode extends Span {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  /** Written in `[]`. */
  readonly flow: boolean;
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: YamlNode;
}

export interface MapNode extends Span {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
  /** Written in `{}`. */
  readonly flow: boolean;
}

export type YamlNode = ScalarNode | ListNode | MapNode;

/** A key with nothing behind it: `key:`. */
export function isEmpty(node: YamlNode): boolean {
  return node.kind === "scalar" && node.style === "plain" && node.text === "";
}

export function findEntry(map: MapNode, key: string): MapEntry | undefined {
  return map.entries.find((entry) => entry.key.text === key);
}

export function findValue(map: MapNode, key: string): YamlNode | undefined {
  return findEntry(map, key)?.value;
}

/** The value as JSON, whole numbers beyond 2^53 exact. Not-a-number and infinity have no JSON form: their text is kept. */
export function toJson(node: YamlNode): JsonValue {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "number" && !Number.isFinite(node.value) ? node.text : node.value;
    case "list":
      return node.items.map(toJson);
    case "map":
      return toJsonObject(node);
  }
}

export function toJsonObject(map: MapNode): JsonObject {
  return Object.fromEntries(map.entries.map((entry) => [entry.key.text, toJson(entry.value)]));
}
