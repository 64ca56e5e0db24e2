// One column's conversion with both field ids: what the plan decides and the rewrite carries out.
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { Converter } from "./conversion.ts";

export interface ColumnConversion {
  /** Live id; retired by the conversion. */
  readonly fieldId: number;
  readonly newId: number;
  /** The column's name, for messages. */
  readonly path: string;
  readonly to: PrimitiveType;
  readonly rule: ConversionRule;
  readonly converter: Converter;
}
