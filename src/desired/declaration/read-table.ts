// One table file as a declaration: shape, keys, fields, and what they mean together. The file is read whole, so that
// all findings come at once.
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import type { ParsedYaml } from "../parse-yaml.ts";
import { flagOf, itemsOf, placeIn, type Reading, report, textOf } from "../reading.ts";
import { checkShape } from "../schema/check-shape.ts";
import type { Acknowledgement, Placed } from "../table-spec.ts";
import { findEntry, findValue, type MapNode, toJsonObject, type YamlNode } from "../yaml/tree.ts";
import { placeAt } from "../yaml/source-text.ts";
import { checkDeclaration } from "./check-declaration.ts";
import type { ColumnGroup, TableDeclaration } from "./declaration.ts";
import { isOfOtherKind } from "./file-kind.ts";
import type { FieldReading } from "./field-reading.ts";
import { readFields } from "./read-fields.ts";
import { readIdentifierFields, readPartitionBy, readPath, readSortBy } from "./read-layout.ts";
import { formatTableName, readTableName } from "./read-name.ts";
import { placedText, readLocation, readOverrides } from "./read-overrides.ts";
import { readPart } from "./read-part.ts";
import { readGlueParameters, readProperties } from "./read-properties.ts";
import { readUnmanaged } from "./read-unmanaged.ts";

export interface TableContext {
  readonly groups: ReadonlyMap<string, ColumnGroup>;
  /** Names of the project's environments, in order. */
  readonly environments: readonly string[];
}

export interface ReadTable {
  /** Null where not even the name can be read. */
  readonly declaration: TableDeclaration | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function readTable(parsed: ParsedYaml, context: TableContext): ReadTable {
  const { root, source, misread } = parsed;
  if (root === null) return { declaration: null, diagnostics: parsed.diagnostics };
  const found: Diagnostic[] = [...parsed.diagnostics];
  const nameNode = root.kind === "map" ? findValue(root, "table") : undefined;
  const name = nameNode === undefined ? undefined : printedName(nameNode);
  const reading: Reading = { source, table: name, found, misread };
  if (root.kind === "map" && isOfOtherKind(reading, root, "table")) return { declaration: null, diagnostics: found };
  checkShape(reading, "table", root);
  if (root.kind !== "map") return { declaration: null, diagnostics: found };
  const parts = readTableName(reading, nameNode);
  const declaration = readKeys(reading, root, parts, context);
  if (declaration !== null) checkDeclaration(reading, declaration, context.environments);
  return {
    declaration: declaration === null ? null : { ...declaration, isPartial: declaration.isPartial || hasErrors(found) },
    diagnostics: found,
  };
}

/** The name for messages, also where it is not a right one. */
function printedName(node: YamlNode): string | undefined {
  if (node.kind === "list") return formatTableName(node.items.map((item) => textOf(item) ?? ""));
  return textOf(node);
}

function readKeys(
  reading: Reading,
  root: MapNode,
  parts: Placed<readonly string[]> | undefined,
  context: TableContext,
): TableDeclaration | null {
  const usedGroups = new Set<string>();
  const fieldReading: FieldReading = {
    ...reading,
    path: [],
    group: null,
    groups: context.groups,
    usedGroups,
    environments: context.environments,
    nested: { fields: readFields, part: readPart },
  };
  const items = itemsOf(findValue(root, "columns"));
  const columns = items === undefined ? undefined : readFields(fieldReading, items);
  const formatVersion = findValue(root, "format-version");
  const glue = findValue(root, "glue");
  const meta = findValue(root, "meta");
  const declaration = {
    file: reading.source.file,
    place: placeAt(reading.source, root.start),
    catalog: placedText(reading, findValue(root, "catalog")),
    owner: textOf(findValue(root, "owner")) ?? null,
    meta: meta === undefined ? null : metaOf(meta),
    ...readComment(reading, root),
    identifierFields: readIdentifierFields(reading, findEntry(root, "identifier-fields")),
    partitionBy: readPartitionBy(reading, findEntry(root, "partition-by")),
    sortBy: readSortBy(reading, findEntry(root, "sort-by")),
    glueParameters: readGlueParameters(reading, glue?.kind === "map" ? findValue(glue, "parameters") : undefined),
    formatVersion:
      formatVersion?.kind === "scalar" && typeof formatVersion.value === "number"
        ? { value: formatVersion.value, place: placeIn(reading, formatVersion) }
        : undefined,
    location: readLocation(reading, findValue(root, "location")),
    dropped: readDropped(reading, findValue(root, "dropped")),
    unmanaged: readUnmanaged(reading, findValue(root, "unmanaged")),
    remember: flagOf(findValue(root, "remember")),
    isNew: flagOf(findValue(root, "new")) === true,
    environments: readOverrides(reading, findValue(root, "environments"), context.environments),
  };
  if (parts === undefined) return null;
  const groups = [...usedGroups];
  return {
    ...declaration,
    name: formatTableName(parts.value),
    parts: parts.value,
    columns: columns ?? [],
    groups,
    isPartial: columns === undefined,
  };
}

function metaOf(node: YamlNode): JsonObject | null {
  return node.kind === "map" ? toJsonObject(node) : null;
}

/** The comment is Iceberg's property of that name: declared under `properties:` it means the same, in both it is an error. */
function readComment(reading: Reading, root: MapNode): Pick<TableDeclaration, "comment" | "properties"> {
  const comment = placedText(reading, findValue(root, "comment"));
  const properties = new Map(readProperties(reading, findValue(root, "properties")));
  const property = properties.get("comment");
  if (property === undefined) return { comment, properties };
  properties.delete("comment");
  if (comment === undefined) return { comment: { value: property.value ?? "", place: property.place }, properties };
  const map = findValue(root, "properties");
  const entry = map?.kind === "map" ? findEntry(map, "comment") : undefined;
  report(reading, "comment-in-two-places", entry?.key ?? root, {
    what: "Cannot declare the table's comment twice",
    why: `\`comment:\` on line ${comment.place.line} is the property "comment"`,
    mend: "Remove one of them",
  });
  return { comment, properties };
}

function readDropped(reading: Reading, node: YamlNode | undefined): readonly Acknowledgement[] {
  return (itemsOf(node) ?? []).flatMap((item) => {
    if (item.kind !== "map") return [];
    const field = readPath(reading, findValue(item, "field"));
    const reasonNode = findValue(item, "reason");
    const reason = textOf(reasonNode);
    if (reason !== undefined && reasonNode !== undefined && reason.trim() === "") {
      report(reading, "empty-value", reasonNode, {
        what: 'Cannot use an empty "reason"',
        why: "Reviewers release the loss of data by it",
        mend: "Write why the data may be lost",
      });
      return [];
    }
    return field === undefined || reason === undefined ? [] : [{ field: field.value, reason, place: placeIn(reading, item) }];
  });
}
