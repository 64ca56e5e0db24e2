// What the steps of one plan come to, gathered: one schema update, one set of properties, one list of conversions. What
// commit that is, finish-draft.ts says. Pure.
import type { DeclaredSortField } from "../desired/table-spec.ts";
import { type EvolutionError, isEvolutionError } from "../iceberg/evolution-error.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { type SchemaUpdate, startSchemaUpdate } from "../iceberg/schema-update.ts";
import { currentSchema, type FormatVersion, highestFieldId, NEWEST_FORMAT_VERSION } from "../iceberg/table-metadata.ts";
import type { Schema } from "../iceberg/type.ts";
import type { Placement } from "./level-order.ts";
import type { LevelMatch } from "./match.ts";
import type { PartitionDifference } from "./partition-difference.ts";
import type { ConversionRequest, NewTableParts, PlannedConversion } from "./table-change.ts";
import type { TablePair } from "./table-pair.ts";

export interface PlacedField {
  readonly level: LevelMatch;
  readonly placement: Placement;
}

/** Collects edits. Errors of the schema update are kept and make the table blocked: a step let through what the format refuses. */
export interface TableDraft {
  readonly pair: TablePair;
  readonly schema: SchemaUpdate;
  readonly placed: PlacedField[];
  /** Ids given to new fields, by level and key. */
  readonly newIds: Map<LevelMatch, Map<string, number>>;
  readonly conversions: PlannedConversion[];
  readonly properties: Map<string, string | null>;
  readonly catalogParameters: Map<string, string | null>;
  readonly errors: EvolutionError[];
  readonly removedSpecs: number[];
  newTable: NewTableParts | null;
  partition: PartitionDifference | null;
  sortBy: readonly DeclaredSortField[] | null;
  /** Declared paths; null leaves the identifier alone. */
  identifierPaths: readonly string[] | null;
  formatVersion: number | null;
  needsNamespace: boolean;
  needsSameData: boolean;
  syncsCatalog: boolean;
  /** Keeps an error of the schema update; gives the value back. */
  got<T>(result: T | EvolutionError): T | null;
  place(level: LevelMatch, placement: Placement): void;
  convert(request: ConversionRequest): number;
  setProperty(key: string, value: string): void;
  removeProperty(key: string): void;
  requireSameData(): void;
  createNamespace(): void;
}

/** New fields get the ids above `lastId`. */
export function startDraft(pair: TablePair, lastId = highestIdOf(pair)): TableDraft {
  const metadata = pair.pair?.metadata;
  const base = metadata === undefined ? EMPTY_SCHEMA : currentSchema(metadata);
  const schema = startSchemaUpdate(base, lastId, {
    formatVersion: versionAfter(pair),
  });
  const draft: TableDraft = {
    pair,
    schema,
    placed: [],
    newIds: new Map(),
    conversions: [],
    properties: new Map(),
    catalogParameters: new Map(),
    errors: [],
    removedSpecs: [],
    newTable: null,
    partition: null,
    sortBy: null,
    identifierPaths: null,
    formatVersion: null,
    needsNamespace: false,
    needsSameData: false,
    syncsCatalog: false,
    got: (result) => {
      if (!isEvolutionError(result)) return result;
      draft.errors.push(result);
      return null;
    },
    place: (level, placement) => {
      draft.placed.push({ level, placement });
    },
    convert: (request) => convert(draft, request),
    setProperty: (key, value) => {
      draft.properties.set(key, value);
    },
    removeProperty: (key) => {
      draft.properties.set(key, null);
    },
    requireSameData: () => {
      draft.needsSameData = true;
    },
    createNamespace: () => {
      draft.needsNamespace = true;
    },
  };
  return draft;
}

function highestIdOf({ pair }: TablePair): number {
  return pair === null ? 0 : highestFieldId(pair.metadata);
}

/** The version that the schema must fit: the declared one where it is higher. */
function versionAfter({ pair, spec }: TablePair): FormatVersion {
  const live = pair?.metadata.formatVersion ?? 1;
  const version = Math.max(live, spec.formatVersion ?? live);
  return version === 1 || version === 2 ? version : NEWEST_FORMAT_VERSION;
}

const EMPTY_SCHEMA: Schema = { schemaId: 0, identifierFieldIds: [], fields: [] };

function convert(draft: TableDraft, request: ConversionRequest): number {
  const node = indexSchema(draft.schema.base).byId(request.fieldId);
  const newId = draft.got(draft.schema.replaceField(request.fieldId, request.to)) ?? -1;
  const retired = node?.field ?? null;
  if (retired !== null) draft.conversions.push({ ...request, newId, retired, parentId: node?.parent?.id ?? null });
  return newId;
}
