// The smallest files that bring each finding about a declaration. A text alone is the table file; all are read by the
// real loader, in a project of two environments.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { DESIRED_CODES } from "../../../../src/diagnostics/codes/desired.ts";

export interface FilesScene {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** What is more than a file with a text. */
  readonly prepare?: (root: string) => void;
}

export const FILE = "tables/sales/orders.yaml";

const table = (columns: readonly string[], more: readonly string[] = []): string =>
  ["table: sales.orders", "columns:", ...columns.map((one) => `  - ${one}`), ...more, ""].join("\n");
const ID = "{ name: order_id, type: long, required: true }";
const TAGS = "{ name: tags, type: list<string> }";
const below = (...lines: readonly string[]): string => table([ID], lines);
const project = (...lines: readonly string[]): FilesScene => ({
  files: { "floeplan.yaml": ["floeplan: 1", ...lines, ""].join("\n"), [FILE]: table([ID]) },
});
const LAKE = "catalogs: { lake: { type: local, warehouse: ./wh } }";
const ENVIRONMENTS = ["environments:", `  prod: { ${LAKE} }`];
const group = (name: string, columns = ID): string => `columns-of: ${name}\ncolumns:\n  - ${columns}\n`;

export const DECLARATION_SCENES: Readonly<Record<Exclude<keyof typeof DESIRED_CODES, "too-many-files">, string | FilesScene>> = {
  "no-files-match": { files: { "table/orders.yaml": table([ID]) } },
  "glob-leaves-project": project('tables: [ "../tables/*.yaml" ]', ...ENVIRONMENTS),
  "link-leaves-project": {
    files: { [FILE]: table([ID]) },
    prepare: (root) => symlinkSync("/etc/hostname", join(root, "tables/host.yaml")),
  },
  "file-not-utf8": { files: { [FILE]: Buffer.from("table: sales.orders # gr\u00fc\u00df", "latin1") } },
  "file-too-large": { files: { [FILE]: `${table([ID])}# ${"x".repeat(4 * 1024 * 1024)}\n` } },
  "file-too-deep": below(`meta: ${"[".repeat(101)}`),
  "file-empty": "# to be written\n",
  "file-of-other-kind": { files: { [FILE]: group("audit") } },
  "control-character": table(['{ name: order_id, type: long, comment: "a\u001bb" }']),
  "more-findings": table(Array.from({ length: 101 }, (_, at) => `{ name: c${at}, type: long, colour: red }`)),
  "unquoted-comma": table([ID, "{ name: price, type: decimal(9,2) }"]),
  "unquoted-colon": below("comment: ratio: a/b"),
  "unquoted-star": below("unmanaged: [ *_tmp ]"),
  "unquoted-sign": below("owner: @acme/data"),
  "hash-cut-comment": table(["{ name: order_id, type: long, comment: order #12 }"]),
  "quoted-path": below('dropped: [ { field: "a.b".c, reason: unused } ]'),
  "text-after-quote": below('comment: "Best" price'),
  "missing-comma": table(["{ name: order_id type: long }"]),
  "missing-blank": table(["{ name: order_id, type:long }"]),
  "yaml-syntax": below("comment: 'one row"),
  "yaml-alias-refused": below("comment: &text one row an order", "owner: *text"),
  "yaml-tag-refused": below("comment: !!str 12"),
  "yaml-merge-refused": below("<<: { comment: x }"),
  "yaml-directive-refused": `%YAML 1.1\n---\n${table([ID])}`,
  "yaml-documents-refused": `${table([ID])}---\n${table([ID])}`,
  "duplicate-key": below("comment: one", "comment: two"),
  "key-not-text": below("meta: { [a]: b }"),
  "unknown-key": `table: sales.orders\ncolums:\n  - ${ID}\n`,
  "missing-key": table(["{ name: order_id }"]),
  "wrong-kind": table(["{ name: order_id, type: long, required: yes }"]),
  "empty-value": below("comment:"),
  "value-not-allowed": table(["{ name: day, type: date, convert: { from: string, format: yyyyMMdd, on-error: ignore } }"]),
  "value-malformed": project(
    "environments:",
    "  prod: { catalogs: { lake: { type: glue, region: eu-west-1, account: 11122223333 } } }",
  ),
  "value-out-of-range": table(["{ name: order_id, type: long, id: { prod: 0 } }"]),
  "too-few-items": "table: sales.orders\ncolumns: []\n",
  "key-refused": below("environments: { dev: { columns: [] } }"),
  "part-has-no-name": table(['{ name: tags, type: list, element: { type: string, comment: "one tag" } }']),
  "secret-in-file": project(
    "environments:",
    '  prod: { catalogs: { lake: { type: rest, uri: "https://catalog.example.org", token: abc } } }',
  ),
  "name-malformed": `table: orders\ncolumns:\n  - ${ID}\n`,
  "type-unknown": table(["{ name: customer, type: strng }"]),
  "type-alias": table(['{ name: customer, type: "varchar(20)" }']),
  "type-parts-mismatch": table(["{ name: tags, type: list<string>, element: { type: string } }"]),
  "map-key-optional": table(["{ name: attrs, type: map, key: { type: string, required: false }, value: { type: string } }"]),
  "field-declared-twice": table([ID, ID]),
  "renamed-from-itself": table(["{ name: order_id, type: long, renamed-from: [ order_id ] }"]),
  "default-malformed": table(['{ name: day, type: date, default: "31.01.2024" }'], ["format-version: 3"]),
  "convert-needs-primitive": table(["{ name: tags, type: list<string>, convert: { from: string } }"]),
  "pinned-id-environments": table(["{ name: order_id, type: long, id: 5 }"]),
  "pinned-id-twice": table(["{ name: a, type: long, id: { prod: 5 } }", "{ name: b, type: long, id: { prod: 5 } }"]),
  "pinned-id-in-group": {
    files: { "shared/audit.yaml": group("audit", "{ name: a, type: long, id: { prod: 5 } }"), [FILE]: table([ID, "use: audit"]) },
  },
  "group-unknown": { files: { "shared/audit.yaml": group("audit"), [FILE]: table(["use: audti"]) } },
  "group-unused": { files: { "shared/audit.yaml": group("audit"), [FILE]: table([ID]) } },
  "group-declared-twice": {
    files: { "shared/audit.yaml": group("audit"), "shared/loader.yaml": group("audit"), [FILE]: table(["use: audit"]) },
  },
  "group-in-group": {
    files: {
      "shared/audit.yaml": group("audit", "{ name: seen_at, type: timestamptz }"),
      "shared/loader.yaml": group("loader", "use: audit"),
      [FILE]: table([ID, "use: loader"]),
    },
  },
  "table-declared-twice": { files: { [FILE]: table([ID]), "tables/sales/orders_2.yaml": table([ID]) } },
  "path-malformed": below('dropped: [ { field: "items[].sku", reason: unused } ]'),
  "field-impossible": table(["{ name: a.b, type: int }", "{ name: a, type: struct, fields: [ { name: b, type: int } ] }"]),
  "format-version-too-low": table(["{ name: at, type: timestamp_ns }"], ["format-version: 2"]),
  "field-not-declared": below("partition-by:", "  - order_dt"),
  "identifier-impossible": table(["{ name: order_id, type: long }"], ["identifier-fields: [ order_id ]"]),
  "partition-malformed": below("partition-by:", "  - bucket(order_id)"),
  "sort-malformed": below("sort-by:", "  - order_id upwards"),
  "transform-impossible": below("partition-by:", "  - hour(order_id)"),
  "transform-alias": table([ID, "{ name: at, type: timestamptz }"], ["partition-by:", "  - days(at)"]),
  "comment-in-two-places": below("comment: One row an order", "properties: { comment: An order }"),
  "property-reserved": below("properties: { format-version: 3 }"),
  "dropped-and-declared": below("dropped: [ { field: order_id, reason: unused } ]"),
  "dropped-and-renamed": table(
    ["{ name: order_id, type: long, renamed-from: [ id ] }"],
    ["dropped: [ { field: id, reason: unused } ]"],
  ),
  "unmanaged-and-declared": table([ID, TAGS], ['unmanaged: [ "t*" ]']),
  "environment-unknown": below("environments: { prd: { skip: true } }"),
  "catalog-unknown": below("catalog: metrics"),
  "catalog-not-chosen": project(
    "environments:",
    "  prod: { catalogs: { lake: { type: local, warehouse: ./wh }, events: { type: local, warehouse: ./events } } }",
  ),
  "template-malformed": project("environments:", `  prod: { ${LAKE}, location: "s3://acme-lake/{schema}/{table}" }`),
  "location-not-allowed": {
    files: {
      "floeplan.yaml": [
        "floeplan: 1",
        "environments:",
        '  prod: { catalogs: { lake: { type: glue, region: eu-west-1 } }, allowed-locations: [ "s3://acme-lake/" ] }',
        "",
      ].join("\n"),
      [FILE]: below('location: "s3://other/orders"'),
    },
  },
  "location-shared": {
    files: {
      "floeplan.yaml": "floeplan: 1\nenvironments:\n  prod: { catalogs: { lake: { type: glue, region: eu-west-1 } } }\n",
      [FILE]: below('location: "s3://acme-lake/orders"'),
      "tables/sales/returns.yaml": below('location: "s3://acme-lake/orders"').replace("orders", "returns"),
    },
  },
  "location-refused": below('location: "s3://acme-lake/orders"'),
  "engine-unknown": project("engines: [ athena, sprak ]", ...ENVIRONMENTS),
};
