// `unmanaged:`: globs over field paths. What they match in a live table is for the planner.
import { isPathError, parseGlob } from "../../iceberg/field-path.ts";
import { itemsOf, placeIn, type Reading, report, textOf } from "../reading.ts";
import type { Placed } from "../table-spec.ts";
import { quoted } from "../words.ts";
import type { YamlNode } from "../yaml/tree.ts";

export function readUnmanaged(reading: Reading, node: YamlNode | undefined): readonly Placed<string>[] {
  return (itemsOf(node) ?? []).flatMap((item) => {
    const text = textOf(item);
    if (text === undefined) return [];
    const glob = parseGlob(text);
    if (!isPathError(glob)) return [{ value: text, place: placeIn(reading, item) }];
    report(reading, "path-malformed", item, { what: `Cannot read the glob ${quoted(text)}`, why: glob.why });
    return [];
  });
}
