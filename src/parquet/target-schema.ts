// The schema element of a rewritten column: both annotations of its new type, its new id and nullability
// (LogicalTypes.md: the older annotation is written wherever one exists). Knows types, no data.
import { bug } from "../diagnostics/tool-error.ts";
import { codeOf, CONVERTED_TYPE, LOGICAL_TYPE, REPETITION, SCHEMA_ELEMENT, TYPES } from "./format.ts";
import type { LogicalType, PhysicalTarget } from "./physical.ts";
import {
  booleanField,
  i32Field,
  struct,
  structField,
  type ThriftField,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "./thrift-tree.ts";

export function targetElement(
  source: ThriftStruct,
  target: PhysicalTarget,
  newFieldId: number,
  isRequired: boolean,
): ThriftStruct {
  const { type, typeLength, logical } = target;
  if ((type === "FIXED_LEN_BYTE_ARRAY") !== (typeLength !== undefined)) throw bug(`A type length does not fit type ${type}`);
  const bare = withoutFields(
    source,
    SCHEMA_ELEMENT.typeLength,
    SCHEMA_ELEMENT.convertedType,
    SCHEMA_ELEMENT.scale,
    SCHEMA_ELEMENT.precision,
    SCHEMA_ELEMENT.logicalType,
  );
  return withFields(
    bare,
    i32Field(SCHEMA_ELEMENT.type, codeOf(TYPES, type)),
    ...(typeLength === undefined ? [] : [i32Field(SCHEMA_ELEMENT.typeLength, typeLength)]),
    i32Field(SCHEMA_ELEMENT.repetition, isRequired ? REPETITION.required : REPETITION.optional),
    i32Field(SCHEMA_ELEMENT.fieldId, newFieldId),
    ...(logical === undefined ? [] : annotations(logical)),
  );
}

function annotations(logical: LogicalType): readonly ThriftField[] {
  switch (logical.kind) {
    case "string":
      return [converted(CONVERTED_TYPE.utf8), annotation(LOGICAL_TYPE.string)];
    case "date":
      return [converted(CONVERTED_TYPE.date), annotation(LOGICAL_TYPE.date)];
    case "uuid":
      return [annotation(LOGICAL_TYPE.uuid)];
    case "decimal":
      return [
        converted(CONVERTED_TYPE.decimal),
        i32Field(SCHEMA_ELEMENT.scale, logical.scale),
        i32Field(SCHEMA_ELEMENT.precision, logical.precision),
        annotation(LOGICAL_TYPE.decimal, i32Field(1, logical.scale), i32Field(2, logical.precision)),
      ];
    case "time":
    case "timestamp": {
      const isTime = logical.kind === "time";
      const parts = [booleanField(1, logical.isAdjustedToUtc), structField(2, struct(structField(UNIT[logical.unit], struct())))];
      const modern = annotation(isTime ? LOGICAL_TYPE.time : LOGICAL_TYPE.timestamp, ...parts);
      // There is no older annotation for nanoseconds; for microseconds it is written for local time too.
      if (logical.unit === "nanos") return [modern];
      return [converted(isTime ? CONVERTED_TYPE.timeMicros : CONVERTED_TYPE.timestampMicros), modern];
    }
  }
}

/** TimeUnit union members. */
const UNIT = { micros: 2, nanos: 3 } as const;

function converted(code: number): ThriftField {
  return i32Field(SCHEMA_ELEMENT.convertedType, code);
}

function annotation(member: number, ...fields: readonly ThriftField[]): ThriftField {
  return structField(SCHEMA_ELEMENT.logicalType, struct(structField(member, struct(...fields))));
}
