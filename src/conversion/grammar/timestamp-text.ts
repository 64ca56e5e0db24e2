// What string → timestamp and string → timestamptz share: texts by a format or in ISO form, read and described to the
// engines. The difference between the two is only the offset that their texts must, may or must not have.
import type { SqlBranch, SqlType } from "../sql/branch.ts";
import type { TextReader } from "../text-conversion.ts";
import { FAILURES } from "../failures.ts";
import { type IsoOffset, isoBranches, isoReader } from "./iso-timestamp.ts";
import { type FieldReader, isOrdered, patternReader } from "./pattern-parser.ts";
import { timestampBranch } from "./pattern-sql.ts";
import { FIELD_COUNT, toTimestamp } from "./time-fields.ts";
import type { PatternPart } from "./time-pattern.ts";

/** The form of the texts: parts of a checked format with the zone of texts without offset, or ISO. */
export type TimestampForm =
  | { readonly parts: readonly PatternPart[]; readonly zone: string | null; readonly zoneMinutes: number }
  | { readonly iso: IsoOffset };

export function timestampReader(form: TimestampForm): TextReader {
  const read = "iso" in form ? isoReader(form.iso) : patternReader(form.parts, form.zoneMinutes);
  // ISO texts with `T` sort after those with a space, and an offset hides the instant.
  return { parse: timestampParser(read), keepsOrder: "parts" in form && isOrdered(form.parts) };
}

export function timestampBranches(form: TimestampForm, type: SqlType): readonly SqlBranch[] {
  return "iso" in form ? isoBranches(form.iso, type) : [timestampBranch(form.parts, type, form.zone)];
}

function timestampParser(read: FieldReader): TextReader["parse"] {
  const fields = new Int32Array(FIELD_COUNT);
  return (bytes, start, end) => {
    const reason = read(bytes, start, end, fields);
    return reason === null ? toTimestamp(fields) : FAILURES[reason];
  };
}
