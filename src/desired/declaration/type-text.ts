// Reads the text of a `type:` key: Iceberg's names, other systems' names with a note, and what is wrong with the
// rest. What stands beside the text (`fields:`, `element:`) is field-type.ts's business.
import { PLAIN_TYPE_NAMES } from "../../iceberg/type.ts";
import { formatFieldName, formatType } from "../../iceberg/type-text.ts";
import { type PartShape, parseTypeText, type TypeShape } from "../../iceberg/type-text-parse.ts";
import { didYouMean } from "../../diagnostics/near-spelling.ts";
import { spotIn } from "../reading.ts";
import { quoted } from "../words.ts";
import { typeText } from "../yaml/quoting.ts";
import type { ScalarNode } from "../yaml/tree.ts";
import { type FieldReading, reportField } from "./field-reading.ts";
import { ALIAS_NAMES, findTypeAlias, type TypeAlias } from "./type-aliases.ts";

const TYPE_NAMES: readonly string[] = [
  ...PLAIN_TYPE_NAMES,
  "decimal(9,2)",
  "fixed[16]",
  "geometry",
  "geography",
  "list",
  "map",
  "struct",
  ...ALIAS_NAMES,
];

/** The type, or undefined after a finding. */
export function readTypeText(reading: FieldReading, node: ScalarNode): TypeShape | undefined {
  const aliases: (readonly [string, TypeAlias])[] = [];
  const result = parseTypeText(node.text, {
    alias: (name) => {
      const alias = findTypeAlias(name);
      if (alias !== null) aliases.push([name, alias]);
      return alias?.type ?? null;
    },
  });
  if ("error" in result) {
    const { offset, why } = result.error;
    const word = /^[\w ]+/.exec(node.text.slice(offset))?.[0].trim() ?? "";
    const mend = hintFor(word) ?? didYouMean(word, TYPE_NAMES);
    reportField(reading, "type-unknown", spotIn(reading, node, offset), {
      what: `Cannot read the type ${quoted(node.text)}`,
      why,
      ...(mend === undefined ? {} : { mend }),
    });
    return undefined;
  }
  if (aliases.length > 0) noteAliases(reading, node, aliases, formatShape(result.type));
  return result.type;
}

function hintFor(word: string): string | undefined {
  const name = word.toLowerCase();
  if (name === "decimal" || name === "numeric")
    return "Write decimal(9,2): 1 to 38 digits, and as many of them after the point as you like";
  if (name === "fixed") return "Write fixed[16]: the number of bytes in square brackets";
  if (name.startsWith("required "))
    return "Write { type: string, required: true }, or the whole in the type: list<required string>";
  return undefined;
}

export function noteAliases(
  reading: FieldReading,
  node: ScalarNode,
  aliases: readonly (readonly [string, TypeAlias])[],
  canonical: string,
): void {
  const lost = [...new Set(aliases.flatMap(([, alias]) => alias.lost ?? []))];
  reportField(reading, "type-alias", node, {
    what: `Type ${quoted(node.text)} is read as ${quoted(canonical)}`,
    ...(lost.length === 0 ? {} : { why: lost.join("; ").replace(/^./, (first) => first.toUpperCase()) }),
    mend: `Write ${typeText(canonical)}, as \`floeplan fmt\` does`,
    edits: [{ file: reading.source.file, start: node.start, end: node.end, text: typeText(canonical) }],
  });
}

/** The canonical text; a struct whose fields stand elsewhere is the bare word. */
function formatShape(type: TypeShape): string {
  switch (type.kind) {
    case "struct": {
      if (type.fields === null) return "struct";
      return `struct<${type.fields.map((field) => `${formatFieldName(field.name)}: ${formatPart(field)}`).join(", ")}>`;
    }
    case "list":
      return `list<${formatPart(type.element)}>`;
    case "map":
      return `map<${formatShape(type.key.type)}, ${formatPart(type.value)}>`;
    default:
      return formatType(type);
  }
}

function formatPart(part: PartShape): string {
  return part.required ? `required ${formatShape(part.type)}` : formatShape(part.type);
}
