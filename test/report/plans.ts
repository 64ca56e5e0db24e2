// Hand-made plans for the goldens: what plan/ would hand over, written out. Ids are counted up, not hashed.
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { Drift, Plan, Step, TablePlan } from "../../src/plan/plan.ts";

export const ID = (number: number): string => number.toString(16).padStart(8, "0").repeat(8);

export function step(number: number, parts: Partial<Step> & { readonly text: Step["text"] }): Step {
  return {
    id: ID(number),
    kind: "add-field",
    field: { path: parts.text.subject, id: null },
    effect: "metadata",
    before: null,
    after: null,
    place: null,
    evidence: {},
    sql: { spark: null, athena: null, trino: null },
    ...parts,
  };
}

export function at(file: string, line: number, column = 5): { file: string; line: number; column: number } {
  return { file, line, column };
}

export function tablePlan(table: string, parts: Partial<TablePlan> = {}): TablePlan {
  const [namespace = "", name = ""] = table.split(".");
  return {
    table,
    environment: "prod",
    catalog: "lake",
    identifier: { namespace: [namespace], name },
    file: `tables/${table.replace(".", "/")}.yaml`,
    uuid: "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    fingerprint: ID(0x1234abcd),
    owner: null,
    facts: null,
    meta: null,
    steps: [],
    blockers: [],
    drift: [],
    notes: [],
    ...parts,
  };
}

export function plan(...tables: readonly TablePlan[]): Plan {
  return { environment: "prod", fingerprint: ID(0xc40e7718), tables };
}

const ORDERS = "tables/sales/orders.yaml";

export const addChannel = step(1, {
  text: { symbol: "+", subject: "channel", change: "string", detail: "new id 21" },
  after: { name: "channel", type: "string", required: false },
  place: at(ORDERS, 14),
  sql: { spark: "ALTER TABLE lake.sales.orders ADD COLUMNS (channel string)", athena: null, trino: null },
});

export const renameCustomer = step(2, {
  kind: "rename-field",
  effect: "behaviour",
  field: { path: "cust_name", id: 4 },
  text: { symbol: ">", subject: "customer", change: "was cust_name", detail: "readers by name must change" },
  before: "cust_name",
  after: "customer",
  place: at(ORDERS, 8),
});

const convertOrderDate = step(3, {
  kind: "convert-type",
  effect: "rewrite",
  field: { path: "order_date", id: 8 },
  text: { symbol: "!", subject: "order_date", change: "string → date", detail: "1.9 of 48 GiB, 0 of 41 M fail" },
  before: "string",
  after: "date",
  place: at(ORDERS, 15),
  evidence: { "column-bytes": "2040109465", rows: "41203118", failing: "0", files: 312 },
});

export const dropLegacyFlag = step(4, {
  kind: "drop-field",
  effect: "destructive",
  field: { path: "legacy_flag", id: 7 },
  text: { symbol: "-", subject: "legacy_flag", change: "string, id 7", detail: "41 M rows hold a value" },
  before: { name: "legacy_flag", type: "string" },
  place: at(ORDERS, 44),
  evidence: { "rows-with-a-value": 41203118n },
});

export const driftUtm: Drift = {
  kind: "field",
  subject: "utm_medium",
  field: { path: "utm_medium", id: 31 },
  what: "only live",
  origin: "spark glue-job-clicks, 20 Aug",
  answers: {
    keep: '- { name: utm_medium, type: string, comment: "" }',
    drop: "dropped: [ { field: utm_medium, reason: … } ]",
    leave: 'unmanaged: [ "utm_*" ]',
  },
};

/** The plan of the contract, word for word. */
export const samplePlan = plan(
  tablePlan("sales.orders", {
    steps: [addChannel, renameCustomer, convertOrderDate, dropLegacyFlag],
    drift: [driftUtm],
  }),
);

export const narrowed: Diagnostic = {
  code: "plan-file-invalid",
  severity: "error",
  what: 'Cannot change "quantity" from long to int',
  why: "Stored values may not fit",
  mend: "Keep long, or ask for a rewrite: `convert: { from: long, on-error: fail }`",
  place: { ...at(ORDERS, 18, 31), endColumn: 34 },
  table: "sales.orders",
  field: "quantity",
  correctedLine: "  - { name: quantity, type: long }",
};

export const droppedSilently: Diagnostic = {
  code: "plan-file-invalid",
  severity: "error",
  what: 'Cannot drop "legacy_flag" silently',
  why: "The live table has it (id 7) and the file no longer does",
  mend: 'If it is meant, list it under `dropped:`. If it was renamed, write `renamed-from: legacy_flag` on the new field ("is_legacy" looks close)',
  table: "sales.orders",
  field: "legacy_flag",
};

export const sources = (file: string): string | undefined =>
  file === ORDERS
    ? `${"#\n".repeat(17)}  - { name: quantity, type: int }\r\n  - { name: note, type: string, comment: order #12 }\n`
    : undefined;

export const blockedPlan = plan(
  tablePlan("sales.orders", { steps: [addChannel], blockers: [narrowed, droppedSilently] }),
  tablePlan("sales.refunds", { steps: [{ ...addChannel, id: ID(11), place: at("tables/sales/refunds.yaml", 9) }] }),
);

export const driftPlan = plan(
  tablePlan("sales.orders", {
    drift: [
      driftUtm,
      {
        kind: "property",
        subject: "write.target-file-size-bytes",
        field: null,
        what: "is 134217728, declared 536870912",
        origin: null,
        answers: {
          keep: "properties:\n  write.target-file-size-bytes: 134217728",
          drop: null,
          leave: "take the key out of the file",
        },
      },
    ],
  }),
  tablePlan("web.clicks"),
);

const SHARED = "shared/audit.yaml";

/** Twelve tables use a shared group that gains two columns; one of them loses a column of its own. */
export const causesPlan = plan(
  ...Array.from({ length: 12 }, (_unused, index) => {
    const table = `events.stream_${String(index + 1).padStart(2, "0")}`;
    const add = (number: number, name: string, line: number): Step =>
      step(100 + index * 10 + number, {
        text: { symbol: "+", subject: name, change: "string", detail: `new id ${20 + index + number}` },
        after: { name, type: "string" },
        place: at(SHARED, line),
      });
    const steps = [add(1, "ingested_by", 3), add(2, "batch", 4)];
    const own = { ...dropLegacyFlag, id: ID(999), place: at(`tables/events/stream_07.yaml`, 21) };
    return tablePlan(table, { steps: index === 6 ? [...steps, own] : steps });
  }),
  tablePlan("events.done"),
);

const note = (number: number, severity: Diagnostic["severity"] = "note"): Diagnostic => ({
  code: "plan-file-invalid",
  severity,
  what: `Field "utm_source_${number}" was added behind the file's back and is declared now: it is taken over`,
  why: "Declared and live are equal",
  place: at(ORDERS, 20 + number, 7),
  table: "sales.orders",
});

export const notesPlan = plan(
  tablePlan("sales.orders", { steps: [addChannel], notes: [note(2), note(1), note(18, "warning")] }),
  tablePlan("web.clicks", { notes: [{ code: "plan-file-invalid", severity: "note", what: "7 comments live only in Glue" }] }),
);

export const manyNotesPlan = plan(
  tablePlan("sales.orders", { steps: [addChannel], notes: Array.from({ length: 33 }, (_unused, index) => note(index)) }),
);

/** 399 tables gain a column, one loses one, 40 stay as they are. */
export const manyTablesPlan = plan(
  ...Array.from({ length: 399 }, (_unused, index) => {
    const table = `lake.table_${String(index + 1).padStart(3, "0")}`;
    return tablePlan(table, {
      steps: [
        step(5000 + index, {
          text: { symbol: "+", subject: "loaded_by", change: "string", detail: `new id ${index + 12}` },
          after: { name: "loaded_by", comment: `Loader of ${table}` },
          place: at(`tables/lake/${table.slice(5)}.yaml`, 12),
        }),
      ],
    });
  }),
  tablePlan("sales.orders", { steps: [dropLegacyFlag] }),
  ...Array.from({ length: 40 }, (_unused, index) => tablePlan(`quiet.table_${index}`)),
);

export const longNamesPlan = plan(
  tablePlan("a_namespace_with_a_long_name.and_a_table_whose_name_does_not_end_where_one_would_expect_it_to", {
    steps: [
      step(1, {
        text: {
          symbol: "+",
          subject: "customer.address.history.element.validity.start_of_the_validity_period_in_local_time",
          change: "timestamp",
          detail: "new id 118",
        },
        place: at("tables/a_namespace_with_a_long_name/x.yaml", 1041),
      }),
      step(2, {
        effect: "behaviour",
        kind: "widen-type",
        text: {
          symbol: "~",
          subject: "measure",
          change: "struct<amount: decimal(9,2), currency: string> → struct<amount: decimal(18,2), currency: string>",
          detail:
            "readers that hold the old schema keep working; writers that declare the column's type themselves must be redeployed before they write again",
        },
        place: at("shared/measures.yaml", 7),
      }),
      step(3, { text: { symbol: "+", subject: "short", change: "int", detail: "new id 119" } }),
    ],
  }),
);

export const wideCharactersPlan = plan(
  tablePlan("销售.订单", {
    file: "tables/销售/订单.yaml",
    steps: (
      [
        ["顧客名", "string"],
        ["주문일", "date"],
        ["café", "string"],
        ["cafe\u0301", "string"],
        ["🇩🇪_🧊_count", "long"],
        ["ﾊﾝｶｸ", "int"],
      ] as const
    ).map(([subject, change], index) =>
      step(60 + index, {
        text: { symbol: "+", subject, change, detail: `new id ${index + 3}` },
        place: at("tables/销售/订单.yaml", 4 + index),
      }),
    ),
  }),
);

export const severalTablesPlan = plan(
  ...samplePlan.tables,
  tablePlan("sales.refunds", {
    steps: [
      step(31, {
        text: { symbol: "+", subject: "sales.refunds", change: "7 columns", detail: "by day(refunded_at)" },
        kind: "create-table",
      }),
    ],
    uuid: null,
  }),
  tablePlan("web.sessions"),
);
