// `environments:` of a table file: the closed list of what may differ in one environment.
import { checkTemplate } from "../config/templates.ts";
import { didYouMean } from "../../diagnostics/near-spelling.ts";
import { flagOf, placeIn, type Reading, report, textOf } from "../reading.ts";
import type { Placed } from "../table-spec.ts";
import { quoted } from "../words.ts";
import { findEntry, findValue, type MapNode, type YamlNode } from "../yaml/tree.ts";
import type { Override } from "./declaration.ts";
import { readPartitionBy, readSortBy } from "./read-layout.ts";
import { readTableName } from "./read-name.ts";
import { readProperties } from "./read-properties.ts";

export function readOverrides(
  reading: Reading,
  node: YamlNode | undefined,
  environments: readonly string[],
): ReadonlyMap<string, Override> {
  const overrides = new Map<string, Override>();
  if (node?.kind !== "map") return overrides;
  for (const { key, value } of node.entries) {
    if (!environments.includes(key.text)) {
      const mend = didYouMean(key.text, environments);
      report(reading, "environment-unknown", key, {
        what: `Cannot find the environment ${quoted(key.text)}`,
        why: "The project file has none of that name",
        ...(mend === undefined ? {} : { mend }),
      });
    }
    if (value.kind === "map") overrides.set(key.text, readOverride(reading, value));
  }
  return overrides;
}

function readOverride(reading: Reading, map: MapNode): Override {
  return {
    place: placeIn(reading, map),
    skip: flagOf(findValue(map, "skip")) === true,
    table: readTableName(reading, findValue(map, "table")),
    catalog: placedText(reading, findValue(map, "catalog")),
    location: readLocation(reading, findValue(map, "location")),
    properties: readProperties(reading, findValue(map, "properties")),
    partitionBy: readPartitionBy(reading, findEntry(map, "partition-by")),
    sortBy: readSortBy(reading, findEntry(map, "sort-by")),
  };
}

export function readLocation(reading: Reading, node: YamlNode | undefined): Placed<string> | undefined {
  const location = placedText(reading, node);
  if (node === undefined || location === undefined) return undefined;
  return checkTemplate(reading, node, location.value, ["namespace", "table"], "a location") ? location : undefined;
}

export function placedText(reading: Reading, node: YamlNode | undefined): Placed<string> | undefined {
  const text = textOf(node);
  return node === undefined || text === undefined ? undefined : { value: text, place: placeIn(reading, node) };
}
