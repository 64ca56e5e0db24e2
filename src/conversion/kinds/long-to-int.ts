// long → int: the same number where it fits 32 bits. No text is involved, so the rule has no argument of its own.
import { bug } from "../../diagnostics/tool-error.ts";
import { refuseOtherArguments } from "../arguments.ts";
import type { Conversion } from "../conversion.ts";
import { FAILURES } from "../failures.ts";
import { sql, sqlColumn } from "../sql/sql.ts";

const INT_MIN = -2_147_483_648n;
const INT_MAX = 2_147_483_647n;

export const LONG_TO_INT: Conversion = {
  name: "long-to-int",
  from: "long",
  to: "int",
  arguments: [],
  losses: "Nothing: a number that does not fit does not convert",
  bind(rule, from, to) {
    const refused = refuseOtherArguments(rule, [], "long", "int");
    if (refused !== null) return refused;
    return {
      from,
      to,
      convert(value) {
        if (typeof value !== "bigint") throw bug("A conversion from long was given another value", { type: typeof value });
        return value < INT_MIN || value > INT_MAX ? FAILURES["out-of-range"] : { value: Number(value) };
      },
      keepsOrder: true,
      mayBecomeNull: rule.onError === "set-null",
    };
  },
  sql(_rule, _from, _to, column) {
    const trino = sql`try_cast(${sqlColumn(column)} AS integer)`.text;
    return { spark: sql`try_cast(${sqlColumn(column)} AS INT)`.text, athena: trino, trino };
  },
};
