// Invented rows of the star schema benchmark's fact table as story and example have it: a day's orders with their lines,
// the same for every caller. Knows no file and no engine.

export interface LineOrder {
  readonly lo_orderkey: number;
  readonly lo_linenumber: number;
  readonly lo_custkey: number;
  readonly lo_partkey: number;
  readonly lo_suppkey: number;
  readonly lo_orderpriority: string;
  readonly lo_shippriority: string;
  readonly lo_quantity: number;
  readonly lo_extendedprice: number;
  readonly lo_ordertotalprice: number;
  readonly lo_discount: number;
  readonly lo_revenue: number;
  readonly lo_supplycost: number;
  readonly lo_tax: number;
  readonly lo_commitdate: string;
  readonly lo_shipmode: string;
  readonly lo_orderdate: string;
}

export const DAYS = ["1992-10-01", "1992-10-02", "1992-10-03"] as const;

const PRIORITIES = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECI", "5-LOW"];
const MODES = ["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"];
const ORDERS_A_DAY = 40;
const DAY_MS = 86_400_000;

/** Of 1 to 7 lines each. */
export function lineOrders(day: string): readonly LineOrder[] {
  const start = Date.parse(`${day}T00:00:00Z`);
  const first = (start / DAY_MS) * 1000;
  return Array.from({ length: ORDERS_A_DAY }, (_, index) => first + index).flatMap((key) => {
    const lines = 1 + (key % 7);
    return Array.from({ length: lines }, (_, line) => {
      const mixed = Math.imul(key * 8 + line, 2_654_435_761) >>> 0;
      const [quantity, discount] = [1 + (mixed % 50), mixed % 11];
      const price = quantity * (90_000 + (mixed % 20_000));
      return {
        lo_orderkey: key,
        lo_linenumber: line + 1,
        lo_custkey: 1 + (key % 300),
        lo_partkey: 1 + (mixed % 2000),
        lo_suppkey: 1 + (mixed % 20),
        lo_orderpriority: pick(PRIORITIES, key),
        lo_shippriority: "0",
        lo_quantity: quantity,
        lo_extendedprice: price,
        lo_ordertotalprice: price * lines,
        lo_discount: discount,
        lo_revenue: Math.floor((price * (100 - discount)) / 100),
        lo_supplycost: 54_000 + (mixed % 9000),
        lo_tax: mixed % 9,
        lo_commitdate: new Date(start + (30 + (mixed % 60)) * DAY_MS).toISOString().slice(0, 10),
        lo_shipmode: pick(MODES, mixed),
        lo_orderdate: day,
      };
    });
  });
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? "";
}
