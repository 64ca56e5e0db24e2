// Turns a checked format into a reader of bytes. Every letter but XXX has a fixed width, so a format is a row of
// slots, one a character: a digit of some field, or a literal. Knows no type: what the fields mean is elsewhere.
import { ZERO } from "./digits.ts";
import { readOffset } from "./offset.ts";
import { DAY, FRACTION, FRACTION_DIGITS, HAS_OFFSET, HOUR, MINUTE, MONTH, OFFSET_MINUTES, SECOND, YEAR } from "./time-fields.ts";
import type { PatternField, PatternPart } from "./time-pattern.ts";

/** Fills the fields from `[start, end)`; null when the text has the form, else why it has not. */
export type FieldReader = (
  bytes: Uint8Array,
  start: number,
  end: number,
  fields: Int32Array,
) => "not-in-format" | "no-offset" | null;

const FIELD_INDEX: Readonly<Record<Exclude<PatternField, "offset">, number>> = {
  year: YEAR,
  month: MONTH,
  day: DAY,
  hour: HOUR,
  minute: MINUTE,
  second: SECOND,
  fraction: FRACTION,
};

/** Slots below are literal bytes; from here on, a digit of the field with the rest as index. */
const DIGIT_SLOT = 0x80;

/** `zoneMinutes` is the offset of texts without one. */
export function patternReader(parts: readonly PatternPart[], zoneMinutes: number): FieldReader {
  const offset = parts.findIndex(isOffset);
  const hasOffset = offset >= 0;
  // Digits are added up in the fields; those that no slot names stay zero.
  const used = parts.flatMap((part) => ("field" in part ? [fieldIndex(part.field)] : []));
  const head = slotsOf(hasOffset ? parts.slice(0, offset) : parts);
  const tail = slotsOf(hasOffset ? parts.slice(offset + 1) : []);
  const fractionDigits = parts.find((part) => "field" in part && part.field === "fraction");
  const fractionWidth = fractionDigits !== undefined && "letters" in fractionDigits ? fractionDigits.letters.length : 0;

  return (bytes, start, end, fields) => {
    const isLongEnough = hasOffset ? end - start >= head.length + tail.length : end - start === head.length;
    if (!isLongEnough) return "not-in-format";
    for (let index = 0; index < used.length; index++) fields[used[index] ?? 0] = 0;
    fields[FRACTION_DIGITS] = fractionWidth;
    fields[OFFSET_MINUTES] = zoneMinutes;
    if (!fillSlots(bytes, start, head, fields)) return "not-in-format";
    if (!hasOffset) return null;
    const offsetStart = start + head.length;
    const offsetEnd = end - tail.length;
    if (!fillSlots(bytes, offsetEnd, tail, fields)) return "not-in-format";
    if (offsetStart === offsetEnd) return "no-offset";
    const minutes = readOffset(bytes, offsetStart, offsetEnd, false);
    if (minutes === null) return "not-in-format";
    fields[OFFSET_MINUTES] = minutes;
    fields[HAS_OFFSET] = 1;
    return null;
  };
}

/** Texts of this format sort like their values: the large fields come first, and none has an offset of its own. */
export function isOrdered(parts: readonly PatternPart[]): boolean {
  if (parts.some(isOffset)) return false;
  const order = parts.flatMap((part) => ("field" in part && part.field !== "offset" ? [FIELD_INDEX[part.field]] : []));
  return order.every((field, index) => index === 0 || field > (order[index - 1] ?? 0));
}

function isOffset(part: PatternPart): boolean {
  return "field" in part && part.field === "offset";
}

function slotsOf(parts: readonly PatternPart[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => {
      if ("literal" in part) return [part.literal.charCodeAt(0)];
      return part.field === "offset" ? [] : Array.from(part.letters, () => DIGIT_SLOT + fieldIndex(part.field));
    }),
  );
}

function fieldIndex(field: PatternField): number {
  return field === "offset" ? OFFSET_MINUTES : FIELD_INDEX[field];
}

function fillSlots(bytes: Uint8Array, start: number, slots: Uint8Array, fields: Int32Array): boolean {
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] ?? 0;
    const byte = bytes[start + index] ?? 0;
    if (slot < DIGIT_SLOT) {
      if (byte !== slot) return false;
    } else {
      const digit = byte - ZERO;
      if (digit < 0 || digit > 9) return false;
      fields[slot - DIGIT_SLOT] = (fields[slot - DIGIT_SLOT] ?? 0) * 10 + digit;
    }
  }
  return true;
}
