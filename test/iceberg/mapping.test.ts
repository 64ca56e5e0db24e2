import { describe, expect, it } from "vitest";
import { columnPropertyChanges, staleColumnProperties } from "../../src/iceberg/column-properties.ts";
import { formatMetricsMode, metricsConfig, parseMetricsMode } from "../../src/iceberg/metrics-config.ts";
import {
  createNameMapping,
  formatNameMapping,
  isNameMapping,
  type NameMapping,
  parseNameMapping,
  updateNameMapping,
} from "../../src/iceberg/name-mapping.ts";
import { type SchemaUpdate, type SchemaUpdateResult, startSchemaUpdate } from "../../src/iceberg/schema-update.ts";
import type { SortOrder } from "../../src/iceberg/sort-order.ts";
import type { Field, Schema, Type } from "../../src/iceberg/type.ts";
import { isEvolutionError } from "../../src/iceberg/evolution-error.ts";

const LONG: Type = { kind: "long" };
const STRING: Type = { kind: "string" };

function field(id: number, name: string, type: Type, required = false): Field {
  return { id, name, required, type };
}

function schemaOf(...fields: Field[]): Schema {
  return { schemaId: 0, identifierFieldIds: [], fields };
}

const ITEMS: Type = {
  kind: "list",
  elementId: 4,
  elementRequired: false,
  element: { kind: "struct", fields: [field(5, "sku", STRING), field(6, "qty", LONG)] },
};
const PRICES: Type = { kind: "map", keyId: 8, key: STRING, valueId: 9, value: LONG, valueRequired: false };
const BASE = schemaOf(field(1, "id", LONG), field(2, "data", STRING), field(3, "items", ITEMS), field(7, "prices", PRICES));

function change(base: Schema, edit: (update: SchemaUpdate) => void, lastColumnId = 20): SchemaUpdateResult {
  const update = startSchemaUpdate(base, lastColumnId, { formatVersion: 2 });
  edit(update);
  const result = update.apply();
  if (isEvolutionError(result)) throw new Error(result.why);
  return result;
}

function mapping(text: string): NameMapping {
  const parsed = parseNameMapping(text);
  if (!isNameMapping(parsed)) throw new Error(parsed.why);
  return parsed;
}

describe("name mapping text", () => {
  it("reads what the spec shows and writes it back", () => {
    const text =
      '[{"field-id":1,"names":["id","record_id"]},{"field-id":2,"names":["data"]},{"field-id":3,"names":["location"],"fields":[{"field-id":4,"names":["latitude","lat"]},{"field-id":5,"names":["longitude","long"]}]}]';
    expect(formatNameMapping(mapping(text))).toBe(text);
  });

  it("keeps entries without id, without names, and names with dots", () => {
    const text = '[{"names":["old"]},{"field-id":2,"names":[]},{"field-id":3,"names":["a.b"]}]';
    expect(formatNameMapping(mapping(text))).toBe(text);
    expect(mapping('[{"field-id":1}]')).toEqual([{ fieldId: 1, names: [], fields: null }]);
  });

  it.each<[string, RegExp]>([
    ["{", /not JSON/],
    ["{}", /not a list/],
    ["[1]", /entry \[0\] is not an object/],
    ['[{"field-id":"1","names":[]}]', /"field-id"/],
    ['[{"field-id":1,"names":"id"}]', /"names"/],
    ['[{"field-id":1,"names":["id"],"fields":{}}]', /"fields" of \[0\]/],
  ])("says what is wrong with %s", (text, why) => {
    expect(parseNameMapping(text)).toMatchObject({ why: expect.stringMatching(why) });
  });

  it("is made of a schema with element, key and value (spec, Name Mapping Serialization)", () => {
    expect(JSON.parse(formatNameMapping(createNameMapping(BASE)))).toEqual([
      { "field-id": 1, names: ["id"] },
      { "field-id": 2, names: ["data"] },
      {
        "field-id": 3,
        names: ["items"],
        fields: [
          {
            "field-id": 4,
            names: ["element"],
            fields: [
              { "field-id": 5, names: ["sku"] },
              { "field-id": 6, names: ["qty"] },
            ],
          },
        ],
      },
      {
        "field-id": 7,
        names: ["prices"],
        fields: [
          { "field-id": 8, names: ["key"] },
          { "field-id": 9, names: ["value"] },
        ],
      },
    ]);
  });
});

describe("updateNameMapping", () => {
  const after = (edit: (update: SchemaUpdate) => void, before = createNameMapping(BASE)): unknown => {
    const { schema, changes } = change(BASE, edit);
    return JSON.parse(formatNameMapping(updateNameMapping(before, schema, changes)));
  };

  it("follows deep renames and additions and leaves drops", () => {
    const result = after((update) => {
      update.renameField(5, "code");
      update.addField(4, { name: "net", type: { kind: "struct", fields: [field(0, "eur", LONG)] } });
      update.dropField(2);
    });
    expect(result).toEqual([
      { "field-id": 1, names: ["id"] },
      { "field-id": 2, names: ["data"] },
      {
        "field-id": 3,
        names: ["items"],
        fields: [
          {
            "field-id": 4,
            names: ["element"],
            fields: [
              { "field-id": 5, names: ["sku", "code"] },
              { "field-id": 6, names: ["qty"] },
              { "field-id": 21, names: ["net"], fields: [{ "field-id": 22, names: ["eur"] }] },
            ],
          },
        ],
      },
      {
        "field-id": 7,
        names: ["prices"],
        fields: [
          { "field-id": 8, names: ["key"] },
          { "field-id": 9, names: ["value"] },
        ],
      },
    ]);
  });

  it("gives swapped names to their new owners only", () => {
    const result = after((update) => {
      update.renameField(1, "data");
      update.renameField(2, "id");
    });
    expect(result).toMatchObject([{ "field-id": 1, names: ["data"] }, { "field-id": 2, names: ["id"] }, {}, {}]);
  });

  it("takes every reassigned name away from another entry, not only the last", () => {
    const result = after((update) => {
      update.addField(null, { name: "x", type: LONG });
      update.addField(null, { name: "y", type: LONG });
    }, mapping('[{"field-id":1,"names":["x","id","y"]},{"field-id":2,"names":["data"]}]'));
    expect(result).toMatchObject([{ names: ["id"] }, { names: ["data"] }, { names: ["x"] }, { names: ["y"] }]);
  });

  it("finds the old entry of a restored field again, as the reference implementation does", () => {
    const before = mapping('[{"field-id":1,"names":["id"]},{"field-id":15,"names":["gone","older"]}]');
    const result = after((update) => {
      update.addField(null, { name: "back", type: LONG, id: 15 });
    }, before);
    expect(result).toEqual([
      { "field-id": 1, names: ["id"] },
      { "field-id": 15, names: ["gone", "older", "back"] },
    ]);
  });

  it("hands the name of a converted field to the new one", () => {
    const result = after((update) => {
      update.replaceField(2, LONG);
      update.replaceField(9, STRING);
    });
    expect(result).toMatchObject([
      { "field-id": 1 },
      { "field-id": 2, names: [] },
      { "field-id": 3 },
      {
        "field-id": 7,
        fields: [
          { "field-id": 8, names: ["key"] },
          { "field-id": 9, names: [] },
          { "field-id": 22, names: ["value"] },
        ],
      },
      { "field-id": 21, names: ["data"] },
    ]);
  });

  it("leaves a mapping alone that knows nothing of the changed fields", () => {
    const before = mapping('[{"names":["noise"]},{"field-id":99,"names":["z"]}]');
    const result = after((update) => {
      update.renameField(5, "code");
    }, before);
    expect(result).toEqual([{ names: ["noise"] }, { "field-id": 99, names: ["z"] }]);
  });
});

describe("columnPropertyChanges", () => {
  const METRICS = "write.metadata.metrics.column.";
  const changesOf = (
    properties: Record<string, string>,
    edit: (update: SchemaUpdate) => void,
  ): ReturnType<typeof columnPropertyChanges> => {
    const { schema, changes } = change(BASE, edit);
    return columnPropertyChanges(properties, BASE, schema, changes);
  };

  it("moves keys of the three families with a deep rename and removes those of a dropped column", () => {
    const result = changesOf(
      {
        [`${METRICS}items.element.sku`]: "full",
        "write.parquet.bloom-filter-enabled.column.items.element.sku": "true",
        "write.parquet.stats-enabled.column.data": "false",
        "write.format.default": "parquet",
      },
      (update) => {
        update.renameField(5, "code");
        update.dropField(2);
      },
    );
    expect(result).toEqual({
      set: { [`${METRICS}items.element.code`]: "full", "write.parquet.bloom-filter-enabled.column.items.element.code": "true" },
      remove: [
        `${METRICS}items.element.sku`,
        "write.parquet.bloom-filter-enabled.column.items.element.sku",
        "write.parquet.stats-enabled.column.data",
      ],
      stale: [],
    });
  });

  it("swaps the values of swapped columns", () => {
    const result = changesOf({ [`${METRICS}id`]: "full", [`${METRICS}data`]: "counts" }, (update) => {
      update.renameField(1, "data");
      update.renameField(2, "id");
    });
    expect(result).toEqual({ set: { [`${METRICS}data`]: "full", [`${METRICS}id`]: "counts" }, remove: [], stale: [] });
  });

  it("tells of a stale key beside one that it just swapped", () => {
    const result = changesOf(
      { [`${METRICS}id`]: "full", [`${METRICS}data`]: "counts", "write.parquet.bloom-filter-ndv.column.id": "9" },
      (update) => {
        update.renameField(1, "data");
        update.renameField(2, "id");
      },
    );
    expect(result.stale).toEqual([
      { key: "write.parquet.bloom-filter-ndv.column.id", column: "id", now: "data", blocksCommits: false },
    ]);
  });

  it("keeps the key of a converted column and follows one that is renamed with it", () => {
    const kept = changesOf({ [`${METRICS}data`]: "full" }, (update) => {
      update.replaceField(2, LONG);
    });
    expect(kept).toEqual({ set: {}, remove: [], stale: [] });
    const renamed = changesOf({ [`${METRICS}data`]: "full" }, (update) => {
      update.renameField(2, "day");
      update.replaceField(2, LONG);
    });
    expect(renamed).toEqual({ set: { [`${METRICS}day`]: "full" }, remove: [`${METRICS}data`], stale: [] });
  });

  it("tells what stays stale, with the name that the column has now", () => {
    const result = changesOf(
      {
        [`${METRICS}items.element.sku`]: "full",
        "write.parquet.bloom-filter-fpp.column.data": "0.05",
        "write.parquet.bloom-filter-ndv.column.id": "100",
        "write.orc.bloom.filter.columns": "data, prices.value",
      },
      (update) => {
        update.renameField(3, "lines");
        update.dropField(2);
      },
    );
    expect(result.set).toEqual({});
    expect(result.stale).toEqual([
      { key: `${METRICS}items.element.sku`, column: "items.element.sku", now: "lines.element.sku", blocksCommits: true },
      { key: "write.parquet.bloom-filter-fpp.column.data", column: "data", now: null, blocksCommits: false },
      { key: "write.orc.bloom.filter.columns", column: "data", now: null, blocksCommits: false },
    ]);
  });

  it("finds keys that name no column of a schema at all, short names counting", () => {
    expect(
      staleColumnProperties(
        { [`${METRICS}nope`]: "full", [`${METRICS}items.sku`]: "full", "write.parquet.dict-encoding-enabled.column.x": "false" },
        BASE,
      ),
    ).toEqual([
      { key: `${METRICS}nope`, column: "nope", now: null, blocksCommits: true },
      { key: "write.parquet.dict-encoding-enabled.column.x", column: "x", now: null, blocksCommits: false },
    ]);
  });
});

describe("metricsConfig", () => {
  const mode = (properties: Record<string, string>, id: number, schema = BASE, order: SortOrder | null = null): string =>
    formatMetricsMode(metricsConfig(properties, schema, order).modeOf(id));
  const sorted = (id: number, transform: string): SortOrder => ({
    orderId: 1,
    fields: [{ sourceIds: [id], transform, direction: "asc", nullOrder: "nulls-first" }],
  });
  const wide = schemaOf(
    field(1000, "nested", { kind: "struct", fields: [field(1001, "deep", LONG)] }),
    ...Array.from({ length: 101 }, (_, index) => field(index + 1, `c${index + 1}`, LONG)),
  );

  it("is truncate(16) where nothing is said", () => {
    expect(mode({}, 2)).toBe("truncate(16)");
  });

  it("takes the table's default and the column's own mode", () => {
    const properties = { "write.metadata.metrics.default": "counts", "write.metadata.metrics.column.items.element.sku": "FULL" };
    expect(mode(properties, 1)).toBe("counts");
    expect(mode(properties, 5)).toBe("full");
    expect(mode({ "write.metadata.metrics.column.items.sku": "none" }, 5)).toBe("none");
  });

  it("gives only the first 100 columns metrics, those of a struct before what is nested in it", () => {
    expect(mode({}, 100, wide)).toBe("truncate(16)");
    expect(mode({}, 101, wide)).toBe("none");
    expect(mode({}, 1001, wide)).toBe("none");
    expect(mode({ "write.metadata.metrics.max-inferred-column-defaults": "102" }, 1001, wide)).toBe("truncate(16)");
    expect(mode({ "write.metadata.metrics.max-inferred-column-defaults": "3" }, 4, wide)).toBe("none");
    expect(mode({ "write.metadata.metrics.default": "full" }, 1001, wide)).toBe("full");
  });

  it("goes into nested types in their order, list elements and map parts counting as columns", () => {
    const nested = schemaOf(
      field(1, "first", {
        kind: "struct",
        fields: [field(2, "a", LONG), field(3, "deeper", { kind: "struct", fields: [field(4, "b", LONG)] })],
      }),
      field(5, "second", { kind: "list", elementId: 6, element: LONG, elementRequired: false }),
      field(7, "third", PRICES),
      field(10, "last", LONG),
    );
    const kept = (limit: number): number[] =>
      [10, 2, 4, 6, 8, 9].filter(
        (id) => mode({ "write.metadata.metrics.max-inferred-column-defaults": String(limit) }, id, nested) !== "none",
      );
    expect([1, 2, 3, 4, 5].map(kept)).toEqual([[10], [10, 2], [10, 2, 4], [10, 2, 4, 6], [10, 2, 4, 6, 8]]);
    expect(kept(6)).toEqual([10, 2, 4, 6, 8, 9]);
  });

  it("raises sorted columns to bounds, not those sorted by buckets", () => {
    expect(mode({ "write.metadata.metrics.default": "none" }, 2, BASE, sorted(2, "identity"))).toBe("truncate(16)");
    expect(mode({ "write.metadata.metrics.default": "full" }, 2, BASE, sorted(2, "identity"))).toBe("full");
    expect(mode({ "write.metadata.metrics.default": "none" }, 2, BASE, sorted(2, "bucket[4]"))).toBe("none");
    expect(mode({}, 101, wide, sorted(101, "truncate[4]"))).toBe("truncate(16)");
    expect(mode({ "write.metadata.metrics.column.data": "none" }, 2, BASE, sorted(2, "identity"))).toBe("none");
  });

  it("tells wrong modes and missing columns", () => {
    const config = metricsConfig(
      { "write.metadata.metrics.column.nope": "full", "write.metadata.metrics.column.id": "lots" },
      BASE,
      null,
    );
    expect(config.missingColumns).toEqual(["nope"]);
    expect(config.invalidKeys).toEqual(["write.metadata.metrics.column.id"]);
    expect(formatMetricsMode(config.modeOf(1))).toBe("truncate(16)");
  });

  it.each(["none", "counts", "full", "truncate(1)", "truncate(2147483647)"])("reads %s", (text) => {
    expect(formatMetricsMode(parseMetricsMode(text) ?? { kind: "none" })).toBe(text);
  });

  it.each(["", "truncate", "truncate(0)", "truncate(-1)", "truncate( 16)", "all"])("knows no mode %j", (text) => {
    expect(parseMetricsMode(text)).toBeNull();
  });
});
