// A pinned field id: one number, a number an environment, or `new`. Which live field it names is for the planner.
import { placeIn } from "../reading.ts";
import { didYouMean } from "../../diagnostics/near-spelling.ts";
import { quoted } from "../words.ts";
import type { Placed } from "../table-spec.ts";
import type { ScalarNode, YamlNode } from "../yaml/tree.ts";
import type { Pin } from "./declaration.ts";
import { type FieldReading, reportField } from "./field-reading.ts";

export function readPin(reading: FieldReading, node: YamlNode | undefined, mayBeNew: boolean): Placed<Pin> | null {
  const pin = node === undefined ? null : pinOf(reading, node, mayBeNew);
  return node === undefined || pin === null ? null : { value: pin, place: placeIn(reading, node) };
}

function pinOf(reading: FieldReading, node: YamlNode, mayBeNew: boolean): Pin | null {
  if (node.kind === "scalar" && node.text === "new") {
    if (mayBeNew) return "new";
    reportField(reading, "value-not-allowed", node, {
      what: 'Cannot ask for a new id of a list element or map part: "new" is for fields',
      mend: "Give the field that holds it `id: new`",
    });
    return null;
  }
  if (reading.group !== null) {
    reportField(reading, "pinned-id-in-group", node, {
      what: `Cannot pin a field id in group ${quoted(reading.group)}`,
      why: "The group stands in several tables, and each has ids of its own",
      mend: "Remove `id:`; names and `renamed-from` find the field",
    });
    return null;
  }
  if (node.kind === "scalar") return pinForAll(reading, node);
  return node.kind === "map"
    ? pinsByEnvironment(
        reading,
        node.entries.map((entry) => [entry.key, entry.value] as const),
      )
    : null;
}

function pinForAll(reading: FieldReading, node: ScalarNode): Pin | null {
  if (typeof node.value !== "number") return null;
  const { environments } = reading;
  if (environments.length > 1) {
    const example = environments.map((name) => `${name}: ${node.text}`).join(", ");
    reportField(reading, "pinned-id-environments", node, {
      what: `Field id ${node.text} is pinned for ${environments.length} environments at once`,
      why: "Each environment's table has ids of its own, which need not agree",
      mend: `Write the id of each: { ${example} }`,
    });
  }
  return node.value;
}

function pinsByEnvironment(reading: FieldReading, entries: readonly (readonly [ScalarNode, YamlNode])[]): Pin {
  const pins = new Map<string, number>();
  for (const [name, value] of entries) {
    if (!reading.environments.includes(name.text)) {
      const mend = didYouMean(name.text, reading.environments);
      reportField(reading, "environment-unknown", name, {
        what: `Cannot pin an id for environment ${quoted(name.text)}: the project has none of that name`,
        ...(mend === undefined ? {} : { mend }),
      });
    } else if (value.kind === "scalar" && typeof value.value === "number") {
      pins.set(name.text, value.value);
    }
  }
  return pins;
}
