// The dictionary of a chunk that is being written: each distinct value once, numbered in order of arrival.
// Decides nothing: when it pays is the encoder's business.
import { byteTable } from "./byte-table.ts";
import type { ColumnValue, PhysicalTarget } from "./physical.ts";
import { plainSize } from "./plain-writer.ts";
import { bytesOf } from "./value-order.ts";

export interface OutputDictionary {
  readonly values: readonly ColumnValue[];
  /** Size of the dictionary page before compression. */
  readonly sizeBytes: number;
  /** The number of the value, which is added if it is new. */
  slotOf(value: ColumnValue): number;
}

export function outputDictionary(target: PhysicalTarget): OutputDictionary {
  const values: ColumnValue[] = [];
  let sizeBytes = 0;
  const add = (value: ColumnValue): number => {
    sizeBytes += plainSize(target, value);
    return values.push(value) - 1;
  };
  return {
    values,
    get sizeBytes() {
      return sizeBytes;
    },
    slotOf: target.type === "BYTE_ARRAY" || target.type === "FIXED_LEN_BYTE_ARRAY" ? bytesSlots(add) : scalarSlots(add),
  };
}

function bytesSlots(add: (value: ColumnValue) => number): (value: ColumnValue) => number {
  const table = byteTable();
  return (value) => {
    const bytes = bytesOf(value);
    const found = table.find(bytes, 0, bytes.length);
    if (found >= 0) return found;
    table.add(bytes, 0, bytes.length);
    return add(bytes.slice());
  };
}

function scalarSlots(add: (value: ColumnValue) => number): (value: ColumnValue) => number {
  const slots = new Map<ColumnValue, number>();
  // A Map takes -0 and +0 for one key; the column must not.
  let negativeZero = -1;
  return (value) => {
    if (Object.is(value, -0)) {
      if (negativeZero < 0) negativeZero = add(value);
      return negativeZero;
    }
    let slot = slots.get(value);
    if (slot === undefined) {
      slot = add(value);
      slots.set(value, slot);
    }
    return slot;
  };
}
