// Table properties and Glue parameters: the written text of each value, null for "must not be set". Keys that
// Iceberg, Glue or floeplan keep for themselves are refused with the key that does what was meant.
import { type Reading, placeIn, report, textOf } from "../reading.ts";
import type { Placed } from "../table-spec.ts";
import { quoted } from "../words.ts";
import { isEmpty, type MapEntry, type YamlNode } from "../yaml/tree.ts";
import type { Properties } from "./declaration.ts";

interface Reserved {
  readonly why: string;
  readonly mend: string;
}

const ITS_OWN = "Iceberg derives it from the table's metadata and stores no such property";
const UNDO: Reserved = { why: ITS_OWN, mend: "Remove it" };

/** The reserved properties of the reference implementation, with the key that does what was meant. */
const RESERVED: ReadonlyMap<string, Reserved> = new Map<string, Reserved>([
  ["format-version", { why: ITS_OWN, mend: "Write the key `format-version:` of the table instead" }],
  ["default-partition-spec", { why: ITS_OWN, mend: "Write the key `partition-by:` of the table instead" }],
  ["default-sort-order", { why: ITS_OWN, mend: "Write the key `sort-by:` of the table instead" }],
  ["uuid", UNDO],
  ["snapshot-count", UNDO],
  ["current-snapshot-id", UNDO],
  ["current-snapshot-summary", UNDO],
  ["current-snapshot-timestamp-ms", UNDO],
  ["current-schema", UNDO],
]);

const POINTER: Reserved = {
  why: "It is the catalog's pointer to the table; another value makes the table unreadable",
  mend: "Remove it",
};

const GLUE_RESERVED: ReadonlyMap<string, Reserved> = new Map<string, Reserved>([
  ["table_type", POINTER],
  ["metadata_location", POINTER],
  ["previous_metadata_location", POINTER],
]);

export function readProperties(reading: Reading, node: YamlNode | undefined): Properties {
  return readPairs(reading, node, "property", RESERVED);
}

export function readGlueParameters(reading: Reading, node: YamlNode | undefined): Properties {
  return readPairs(reading, node, "Glue parameter", GLUE_RESERVED);
}

function readPairs(
  reading: Reading,
  node: YamlNode | undefined,
  noun: string,
  reserved: ReadonlyMap<string, Reserved>,
): Properties {
  if (node?.kind !== "map") return new Map();
  const pairs = new Map<string, Placed<string | null>>();
  for (const entry of node.entries) {
    const value = readValue(reading, entry, noun);
    const name = entry.key.text;
    const words = name.startsWith("floeplan.") ? OURS : reserved.get(name);
    if (words !== undefined) {
      report(reading, "property-reserved", entry.key, { what: `Cannot declare ${noun} ${quoted(name)}`, ...words });
    } else if (name === "") {
      report(reading, "name-malformed", entry.key, { what: `Cannot use an empty name for a ${noun}`, mend: "Write its name" });
    } else if (value !== undefined) {
      pairs.set(name, value);
    }
  }
  return pairs;
}

const OURS: Reserved = { why: "floeplan keeps its memory of the table there", mend: "Remove it" };

function readValue(reading: Reading, { key, value }: MapEntry, noun: string): Placed<string | null> | undefined {
  if (value.kind !== "scalar") return undefined;
  if (isEmpty(value)) {
    report(reading, "empty-value", key, {
      what: `Cannot use nothing for ${noun} ${quoted(key.text)}`,
      mend: 'Write a value, `null` if it must not be set, or "" for an empty text',
    });
    return undefined;
  }
  return { value: value.value === null ? null : (textOf(value) ?? ""), place: placeIn(reading, key) };
}
