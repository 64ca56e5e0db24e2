// The kinds of steps, in the order in which a plan lists and takes them.
import type { StepKind } from "../planned-step.ts";
import { addField } from "./add-field.ts";
import { convertType } from "./convert-type.ts";
import { createNamespace } from "./create-namespace.ts";
import { createTable } from "./create-table.ts";
import { dropField } from "./drop-field.ts";
import { evolvePartitionSpec } from "./evolve-partition-spec.ts";
import { moveField } from "./move-field.ts";
import { removeUnusedSpecs } from "./remove-unused-specs.ts";
import { removeProperties } from "./remove-properties.ts";
import { removeGlueParameters } from "./remove-glue-parameters.ts";
import { renameField } from "./rename-field.ts";
import { replaceSortOrder } from "./replace-sort-order.ts";
import { restoreField } from "./restore-field.ts";
import { setComment } from "./set-comment.ts";
import { setDefault } from "./set-default.ts";
import { setDoc } from "./set-doc.ts";
import { setGlueParameters } from "./set-glue-parameters.ts";
import { setIdentifierFields } from "./set-identifier-fields.ts";
import { setOptional } from "./set-optional.ts";
import { setProperties } from "./set-properties.ts";
import { setRequired } from "./set-required.ts";
import { syncGlueColumns } from "./sync-glue-columns.ts";
import { upgradeFormatVersion } from "./upgrade-format-version.ts";
import { widenType } from "./widen-type.ts";

export const STEP_KINDS: readonly StepKind[] = [
  createNamespace,
  createTable,
  upgradeFormatVersion,
  restoreField,
  addField,
  renameField,
  moveField,
  widenType,
  setOptional,
  setRequired,
  setDoc,
  setDefault,
  setIdentifierFields,
  evolvePartitionSpec,
  replaceSortOrder,
  setComment,
  setProperties,
  removeProperties,
  setGlueParameters,
  removeGlueParameters,
  syncGlueColumns,
  convertType,
  removeUnusedSpecs,
  dropField,
];
