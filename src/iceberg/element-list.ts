// A list whose elements may still be unparsed text of a large file. Append and remove make a new list that
// shares the untouched elements, so writing it back copies their bytes. Pure.

/** Elements in file order. */
export interface ElementList<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
  /** From the last element backwards: recent elements are parsed first. */
  findLast(test: (element: T) => boolean): T | undefined;
  appended(element: T): ElementList<T>;
  filtered(keep: (element: T) => boolean): ElementList<T>;
  /** The element's own bytes where it was read from a file and is unchanged. */
  rawAt(index: number): Uint8Array | undefined;
}

interface Slot<T> {
  value: T | undefined;
  readonly raw: Uint8Array | undefined;
}

class SlotList<T> implements ElementList<T> {
  readonly #slots: readonly Slot<T>[];
  readonly #parse: (raw: Uint8Array) => T;

  constructor(slots: readonly Slot<T>[], parse: (raw: Uint8Array) => T) {
    this.#slots = slots;
    this.#parse = parse;
  }

  get length(): number {
    return this.#slots.length;
  }

  at(index: number): T | undefined {
    const slot = this.#slots[index];
    if (slot === undefined) return undefined;
    if (slot.value === undefined && slot.raw !== undefined) slot.value = this.#parse(slot.raw);
    return slot.value;
  }

  findLast(test: (element: T) => boolean): T | undefined {
    for (let index = this.#slots.length - 1; index >= 0; index--) {
      const element = this.at(index);
      if (element !== undefined && test(element)) return element;
    }
    return undefined;
  }

  appended(element: T): ElementList<T> {
    return new SlotList([...this.#slots, { value: element, raw: undefined }], this.#parse);
  }

  filtered(keep: (element: T) => boolean): ElementList<T> {
    const kept = this.#slots.filter((_, index) => {
      const element = this.at(index);
      return element !== undefined && keep(element);
    });
    return kept.length === this.#slots.length ? this : new SlotList(kept, this.#parse);
  }

  rawAt(index: number): Uint8Array | undefined {
    return this.#slots[index]?.raw;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.#slots.length; index++) {
      const element = this.at(index);
      if (element !== undefined) yield element;
    }
  }
}

/** A list over unparsed elements; `parse` runs at most once an element. */
export function rawElements<T>(raws: readonly Uint8Array[], parse: (raw: Uint8Array) => T): ElementList<T> {
  return new SlotList<T>(
    raws.map((raw) => ({ value: undefined, raw })),
    parse,
  );
}

/** A list over values that were never in a file. */
export function elements<T>(values: readonly T[]): ElementList<T> {
  return new SlotList<T>(
    values.map((value) => ({ value, raw: undefined })),
    () => {
      throw new Error("elements without text are never parsed");
    },
  );
}
