// A declared table that is edited at random, in everything that a file can say of it: columns as model.ts
// edits them, and required, defaults, identifier fields, partition and sort order, format version.
import type { DeclaredField, DeclaredType, TableSpec } from "../../src/desired/table-spec.ts";
import type { NullOrder, SortDirection } from "../../src/iceberg/sort-order.ts";
import { type Edit, Model, type ModelField, type ModelType } from "./model.ts";

const PLACE = { file: "tables/t.yaml", line: 1, column: 1 };
const TRANSFORMS = ["identity", "bucket[4]", "bucket[16]", "truncate[3]"] as const;

interface PartitionWish {
  readonly key: number;
  readonly transform: (typeof TRANSFORMS)[number];
  name: string | null;
}

interface SortWish {
  readonly key: number;
  readonly transform: (typeof TRANSFORMS)[number];
  readonly direction: SortDirection;
  readonly nullOrder: NullOrder;
}

interface KnownField {
  readonly field: ModelField;
  readonly path: string;
  readonly isInStructs: boolean;
}

/** Shares of a hundred edits; what is above all of them edits a column. */
const OWN_EDITS = [
  [8, "required"],
  [16, "default"],
  [24, "partition"],
  [27, "unpartition"],
  [30, "partition name"],
  [35, "sort"],
  [40, "identifier"],
  [42, "format version"],
] as const;

export class Declaration {
  readonly model = new Model();
  #formatVersion: number;
  readonly #required = new Set<number>();
  readonly #defaults = new Map<number, string | null>();
  #partition: PartitionWish[] = [];
  #sort: SortWish[] = [];
  #identifier: number[] = [];

  constructor(formatVersion: number) {
    this.#formatVersion = formatVersion;
  }

  edit({ kind, a, b }: Edit): void {
    const own = OWN_EDITS.find(([below]) => kind % 100 < below)?.[1];
    if (own !== undefined) this.#editOwn(own, a, b);
    else {
      const before = this.#keys();
      this.model.edit({ kind: a + b, a, b });
      // What comes back comes back optional and without defaults.
      for (const key of this.#keys()) if (!before.has(key)) this.#forget(key);
      // People take what they drop out of the layout as well; some forget.
      if (a % 7 !== 0) this.#dropFromLayout();
    }
  }

  spec(dropped: readonly string[]): TableSpec {
    const known = this.#known();
    const path = (key: number): string => known.find(({ field }) => field.key === key)?.path ?? "gone";
    const base = this.model.spec(dropped);
    return {
      ...base,
      columns: this.#columns(base.columns, this.model.columns),
      identifierFields: this.#identifier.map((key) => ({ value: path(key), place: PLACE })),
      partitionBy: this.#partition.map(({ key, transform, name }) => ({ source: path(key), transform, name, place: PLACE })),
      sortBy: this.#sort.map(({ key, ...rest }) => ({ source: path(key), ...rest, place: PLACE })),
      formatVersion: this.#formatVersion,
      newTableFormatVersion: this.#formatVersion,
    };
  }

  #editOwn(what: (typeof OWN_EDITS)[number][1], a: number, b: number): void {
    const known = this.#known();
    const sources = known.filter(({ field, isInStructs }) => isInStructs && field.type.kind === "primitive");
    const source = sources[a % Math.max(1, sources.length)];
    const field = known[a % known.length]?.field;
    switch (what) {
      case "required":
        if (field === undefined) return;
        if (!this.#required.delete(field.key)) this.#required.add(field.key);
        else this.#identifier = this.#identifier.filter((key) => key !== field.key);
        return;
      case "default":
        if (source !== undefined) this.#defaults.set(source.field.key, b % 4 === 0 ? null : String(b));
        return;
      case "partition": {
        const [first] = this.#partition;
        const isMoved = first !== undefined && b % 5 === 1;
        const transform = isMoved ? first.transform : (TRANSFORMS[b % TRANSFORMS.length] ?? "identity");
        if (source === undefined || this.#partition.length > 2) return;
        if (this.#partition.some((one) => one.key === source.field.key && one.transform === transform)) return;
        if (isMoved) this.#partition.shift();
        this.#partition.push({ key: source.field.key, transform, name: b % 3 === 0 ? `p${b}` : null });
        return;
      }
      case "unpartition":
        this.#partition.splice(a % Math.max(1, this.#partition.length), 1);
        return;
      case "partition name": {
        const wish = this.#partition[a % Math.max(1, this.#partition.length)];
        if (wish !== undefined) wish.name = `p${b}`;
        return;
      }
      case "sort":
        if (b % 5 === 1) this.#sort = this.#sort.map((one) => ({ ...one, direction: one.direction === "asc" ? "desc" : "asc" }));
        else
          this.#sort = b % 4 === 0 || source === undefined ? [] : [...this.#sort.slice(0, b % 2), sortWish(source.field.key, b)];
        return;
      case "identifier": {
        const required = sources.filter(({ field: one, path }) => this.#required.has(one.key) && !path.includes("."));
        this.#identifier = required.filter((_, index) => (b + index) % 3 !== 0).map(({ field: one }) => one.key);
        return;
      }
      case "format version":
        this.#formatVersion = Math.min(3, this.#formatVersion + 1);
    }
  }

  #known(): KnownField[] {
    return this.model.levels().flatMap(({ fields, path }) => {
      const isInStructs = !path.includes("element") && !path.includes("value");
      return fields.map((field) => ({ field, path: [...path, field.name].join("."), isInStructs }));
    });
  }

  #keys(): ReadonlySet<number> {
    return new Set(this.#known().map(({ field }) => field.key));
  }

  #forget(key: number): void {
    this.#required.delete(key);
    this.#defaults.delete(key);
  }

  #dropFromLayout(): void {
    const keys = this.#keys();
    this.#partition = this.#partition.filter(({ key }) => keys.has(key));
    this.#sort = this.#sort.filter(({ key }) => keys.has(key));
    this.#identifier = this.#identifier.filter((key) => keys.has(key));
  }

  #columns(declared: readonly DeclaredField[], fields: readonly ModelField[]): DeclaredField[] {
    return declared.map((one, index): DeclaredField => {
      const field = fields[index];
      if (field === undefined) return one;
      const value = this.#defaults.get(field.key);
      return {
        ...one,
        type: this.#type(one.type, field.type),
        required: this.#required.has(field.key),
        default: value === undefined ? undefined : { value, place: PLACE },
      };
    });
  }

  #type(declared: DeclaredType, type: ModelType): DeclaredType {
    if (declared.kind === "struct" && type.kind === "struct")
      return { ...declared, fields: this.#columns(declared.fields, type.fields) };
    if (declared.kind === "list" && type.kind === "list")
      return { ...declared, element: { ...declared.element, type: this.#type(declared.element.type, type.element) } };
    if (declared.kind === "map" && type.kind === "map")
      return { ...declared, value: { ...declared.value, type: this.#type(declared.value.type, type.value) } };
    return declared;
  }
}

function sortWish(key: number, number: number): SortWish {
  return {
    key,
    transform: TRANSFORMS[number % TRANSFORMS.length] ?? "identity",
    direction: number % 2 === 0 ? "asc" : "desc",
    nullOrder: number % 3 === 0 ? "nulls-first" : "nulls-last",
  };
}
