// What the readers of fields share beside the file: where in the table they are, the groups that can be used, the
// environments that pins may name.
import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import type { DiagnosticParts } from "../../diagnostics/diagnostic.ts";
import { formatPath } from "../../iceberg/field-path.ts";
import { type Reading, report } from "../reading.ts";
import type { Span } from "../yaml/source-text.ts";
import type { YamlNode } from "../yaml/tree.ts";
import type { ColumnGroup, PinnedField, PinnedPart } from "./declaration.ts";

export interface FieldReading extends Reading {
  /** Names on the way to the field. */
  readonly path: readonly string[];
  /** The group that is being read, or null in a table file. */
  readonly group: string | null;
  readonly groups: ReadonlyMap<string, ColumnGroup>;
  /** Groups that a `use:` has named so far. */
  readonly usedGroups: Set<string>;
  readonly environments: readonly string[];
  /** The readers of what a type holds: types hold fields and parts, which have types. */
  readonly nested: NestedReaders;
}

interface NestedReaders {
  readonly fields: (reading: FieldReading, items: readonly YamlNode[]) => readonly PinnedField[] | undefined;
  readonly part: (reading: FieldReading, node: YamlNode | undefined, isKey: boolean) => PinnedPart | undefined;
}

/** The same reading one name further down. Written out, not spread: it is made for every field. */
export function below(reading: FieldReading, name: string): FieldReading {
  return {
    source: reading.source,
    table: reading.table,
    found: reading.found,
    misread: reading.misread,
    path: [...reading.path, name],
    group: reading.group,
    groups: reading.groups,
    usedGroups: reading.usedGroups,
    environments: reading.environments,
    nested: reading.nested,
  };
}

export function reportField(reading: FieldReading, code: DiagnosticCode, span: Span, parts: DiagnosticParts): void {
  report(reading, code, span, reading.path.length === 0 ? parts : { field: formatPath(reading.path), ...parts });
}
