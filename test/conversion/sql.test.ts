// The typed builder of SQL (I6): whatever a rule or a name holds, it stays one literal or one identifier.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failureSql } from "../../src/conversion/failure-sql.ts";
import { findConversion } from "../../src/conversion/index.ts";
import { regexText, regexTextAnyCase } from "../../src/conversion/sql/regex.ts";
import { joinSql, sql, sqlColumn, sqlRegex, sqlText, sqlWord } from "../../src/conversion/sql/sql.ts";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { converter, finding, rule, STRING } from "./rules.ts";

function sqlOf(
  to: PrimitiveType,
  parts: Partial<ConversionRule>,
  column = "c",
): { spark: string; trino: string; athena: string } {
  const made = findConversion("string", to.kind)?.sql(rule(parts), STRING, to, column);
  return { spark: made?.spark ?? "", trino: made?.trino ?? "", athena: made?.athena ?? "" };
}

/** The text without its literals; null when a quote stays open. */
function outsideLiterals(text: string): string | null {
  const outside = text.replace(/r?'[^']*'/g, "L");
  return outside.includes("'") ? null : outside;
}

describe("the SQL of a conversion", () => {
  it("guards the cast of a whole number", () => {
    expect(sqlOf({ kind: "int" }, {})).toEqual({
      spark: String.raw`CASE WHEN c RLIKE r'\A([+-]?[0-9]+)\z' THEN try_cast(c AS INT) END`,
      trino: String.raw`CASE WHEN regexp_like(c, '\A([+-]?[0-9]+)\z') THEN try_cast(c AS integer) END`,
      athena: String.raw`CASE WHEN regexp_like(c, '\A([+-]?[0-9]+)\z') THEN try_cast(c AS integer) END`,
    });
  });

  it("puts a date into the one form that every engine casts", () => {
    expect(sqlOf({ kind: "date" }, { format: "dd.MM.yyyy" }, '"order"."d"').trino).toBe(
      String.raw`CASE WHEN regexp_like("order"."d", '\A([0-9]{2})[.]([0-9]{2})[.]((?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000))\z') THEN try_cast(regexp_replace("order"."d", '\A([0-9]{2})[.]([0-9]{2})[.]((?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000))\z', '$3-$2-$1') AS date) END`,
    );
  });

  it("checks the range of instants only where an offset can leave the calendar", () => {
    expect(sqlOf({ kind: "timestamptz" }, { format: "yyyyMMdd", zone: "UTC" }).trino).not.toContain("BETWEEN");
    expect(sqlOf({ kind: "timestamptz" }, { format: "yyyyMMdd", zone: "+01:00" }).trino).toContain("BETWEEN");
    expect(sqlOf({ kind: "timestamp" }, {}).trino).not.toContain("BETWEEN");
  });

  it("is short and named for a number without text", () => {
    const made = findConversion("long", "int")?.sql(rule({ from: "long" }), { kind: "long" }, { kind: "int" }, "`n`");
    expect(made).toEqual({
      spark: "try_cast(`n` AS INT)",
      athena: "try_cast(`n` AS integer)",
      trino: "try_cast(`n` AS integer)",
    });
  });

  it("finds failures, and nulls by the rule are none", () => {
    const conversion = findConversion("string", "int");
    if (conversion === null) throw new Error("no conversion");
    const of = (parts: Partial<ConversionRule>): string | null =>
      failureSql(conversion, rule(parts), STRING, { kind: "int" }, "c").trino;
    const value = String.raw`CASE WHEN regexp_like(c, '\A([+-]?[0-9]+)\z') THEN try_cast(c AS integer) END`;
    expect(of({})).toBe(`c IS NOT NULL AND (${value}) IS NULL`);
    expect(of({ emptyAsNull: true })).toBe(`c IS NOT NULL AND (${value}) IS NULL AND NOT regexp_like(c, '\\A\\z')`);
    expect(of({ emptyAsNull: true, trim: true })).toMatch(/AND NOT regexp_like\(c, '\\A\[\\t-\\r ]\*\\z'\)$/);
  });

  it("keeps literal characters of any format inside its literals", () => {
    const printable = fc.stringMatching(/^[ -&(-~]{0,12}$/);
    fc.assert(
      fc.property(printable, (literal) => {
        const format = `yyyyMMdd'x${literal}'`;
        const made = sqlOf({ kind: "date" }, { format });
        const plain = sqlOf({ kind: "date" }, { format: "yyyyMMdd" });
        expect(outsideLiterals(made.trino)).toBe(outsideLiterals(plain.trino));
        expect(outsideLiterals(made.spark)).toBe(outsideLiterals(plain.spark));
        expect(made.spark + made.trino).not.toMatch(/--|\/\*|;|\$\{/);
        expect(converter({ kind: "date" }, { format }).convert(`20240131x${literal}`)).toEqual({ value: 19_753 });
      }),
      { numRuns: 300 },
    );
  });

  it("keeps any boolean value inside its literals", () => {
    const plain = sqlOf({ kind: "boolean" }, { trueValues: ["a"], falseValues: ["b"] });
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 3 }), (texts) => {
        const parts = { trueValues: texts.map((text) => `t${text}`), falseValues: ["b"] };
        if (texts.some((text) => /\p{Surrogate}/u.test(text))) {
          expect(finding({ kind: "boolean" }, parts).code).toBe("conversion-values-wrong");
          return;
        }
        const made = sqlOf({ kind: "boolean" }, parts);
        expect(outsideLiterals(made.trino)).toBe(outsideLiterals(plain.trino));
        expect(outsideLiterals(made.spark)).toBe(outsideLiterals(plain.spark));
        expect(made.spark + made.trino).not.toMatch(/--|\/\*|;|\$\{|\p{Cc}/u);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a regular expression for a text", () => {
  it("matches exactly that text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, other) => {
        fc.pre(!/\p{Surrogate}/u.test(text + other));
        // The language spells code points \u{…} where the engines have \x{…}.
        const regex = new RegExp(`^(?:${regexText(text).replaceAll("\\x{", "\\u{").replaceAll(" ", "\\x20")})$`, "u");
        expect(regex.test(text)).toBe(true);
        expect(regex.test(other)).toBe(text === other);
      }),
      { numRuns: 500 },
    );
  });

  it("of any case matches both cases of ASCII letters and no other likeness", () => {
    const regex = new RegExp(`^${regexTextAnyCase("Oké-1")}$`, "u");
    expect(["Oké-1", "OKé-1", "oké-1"].map((text) => regex.test(text))).toEqual([true, true, true]);
    expect(["OKÉ-1", "O\u212aé-1", "Oké1"].map((text) => regex.test(text))).toEqual([false, false, false]);
  });
});

describe("the builder", () => {
  it("takes columns only as they are quoted", () => {
    for (const column of ["c", "a_1", '"a b"', '"a""b"."c"', "`x`.`y``z`", '"Ä"']) expect(sqlColumn(column).text).toBe(column);
    for (const column of ["", "a b", '"a', 'a"', '"a"b', "`a", "a;b", "a.b.", '"a\u0000b"', "1a", "a--b", '""']) {
      expect(() => sqlColumn(column)).toThrow(/not quoted/);
    }
  });

  it("refuses text that could end a literal", () => {
    for (const text of ["a'b", "a\\b", "a\nb", "--", "a;b"]) expect(() => sqlText(text)).toThrow(/Not a safe text/);
    for (const pattern of ["a'b", "a;b", "${x}", "/*"]) expect(() => sqlRegex("spark", pattern)).toThrow(/Not a safe regular/);
    for (const word of ["", "a;b", "a'b", "a--b", "a\n"]) expect(() => sqlWord(word)).toThrow(/Not a word/);
    expect(sqlRegex("trino", "a--b").text).toBe(String.raw`'a-\x2Db'`);
  });

  it("joins what it made itself", () => {
    expect(sql`x ${sqlWord("a")} y ${joinSql([sqlWord("b"), sqlWord("c")], ", ")}`.text).toBe("x a y b, c");
  });
});
