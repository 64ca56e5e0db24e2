// Widths, wrapping, excerpts, fitting and findings: the small parts of a report.
import fc from "fast-check";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { diagnosticsReport } from "../../src/report/diagnostics-report.ts";
import { displayWidth, padEnd, padStart, wrapWords } from "../../src/report/display-width.ts";
import { findingOf, lineOf, markedRange } from "../../src/report/excerpt.ts";
import { fitParts } from "../../src/report/fit.ts";
import { fitMarkdown } from "../../src/report/formats/markdown.ts";
import { renderTerminal } from "../../src/report/formats/terminal.ts";
import { prose } from "../../src/report/text.ts";
import * as plans from "./plans.ts";

describe("the width of text", () => {
  // Widths by Unicode Standard Annex 11 and by what common terminals do with emoji sequences.
  it.each([
    ["abc", 3],
    ["", 0],
    ["顧客名", 6],
    ["ﾊﾝｶｸ", 4],
    ["한국", 4],
    ["한", 2],
    ["cafe\u0301", 4],
    ["→·…–", 4],
    ["🧊", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["👩‍👩‍👧", 2],
    ["1️⃣", 2],
  ])("of %j is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
    expect(displayWidth(padEnd(text, 20))).toBe(20);
    expect(displayWidth(padStart(text, 20))).toBe(20);
  });

  it("is never exceeded by wrapped lines of short words, and no word is lost", () => {
    const words = fc.array(fc.constantFrom("a", "bb", "ccc", "顧客", "decimal(9,2)", "→"), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (list, width) => {
        const lines = wrapWords(list.join(" "), width);
        expect(lines.join(" ")).toBe(list.join(" "));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("an excerpt", () => {
  it("is the line of the place, whatever ends lines", () => {
    expect([1, 2, 3, 4, 5].map((line) => lineOf("a\r\nb\nc\rd", line))).toEqual(["a", "b", "c", "d", null]);
  });

  const at = (column: number, end?: number, endLine?: number): Diagnostic => ({
    code: "plan-file-invalid",
    severity: "error",
    what: "x",
    place: {
      file: "f",
      line: 1,
      column,
      ...(end === undefined ? {} : { endColumn: end }),
      ...(endLine === undefined ? {} : { endLine }),
    },
  });

  it.each([
    [at(1), { start: 0, end: 1 }],
    [at(3, 6), { start: 2, end: 5 }],
    [at(3, 2, 4), { start: 2, end: 8 }],
    [at(9), { start: 8, end: 9 }],
    [at(99), { start: 8, end: 9 }],
    [at(4, 99), { start: 3, end: 8 }],
  ])("marks what is meant: %#", (diagnostic, range) => {
    expect(markedRange(findingOf(diagnostic, () => "abcdefgh\n"))).toEqual(range);
  });

  it("is absent where the file's text is not known", () => {
    expect(markedRange(findingOf(at(1), () => undefined))).toBeNull();
  });
});

describe("fitting", () => {
  const part = (importance: number, lengths: readonly number[]) => ({
    importance,
    gone: lengths.length,
    draw: (level: number) => "x".repeat(lengths[level] ?? 0),
  });

  it("lowers the least important first, the last of them before the others", () => {
    const { levels } = fitParts([part(40, [10, 5]), part(90, [10, 5]), part(40, [10, 5])], 25, 0);
    expect(levels).toEqual([0, 0, 1]);
    expect(fitParts([part(40, [10, 5]), part(90, [10, 5]), part(40, [10, 5])], 20, 0).levels).toEqual([1, 0, 1]);
    expect(fitParts([part(40, [10, 5]), part(90, [10, 5]), part(40, [10, 5])], 11, 0).levels).toEqual([2, 0, 2]);
  });

  it("fits whenever dropping everything would", () => {
    const parts = fc.array(
      fc
        .tuple(fc.constantFrom(10, 40, 90), fc.array(fc.nat(50), { minLength: 1, maxLength: 3 }))
        .map(([importance, lengths]) => part(importance, lengths)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(parts, fc.nat(300), (list, budget) => {
        const { texts, fits } = fitParts(list, budget, 2);
        expect(fits).toBe(true);
        expect(texts.reduce((sum, text) => sum + (text === "" ? 0 : text.length + 2), 0)).toBeLessThanOrEqual(budget);
      }),
    );
  });
});

describe("findings as a report", () => {
  const note: Diagnostic = {
    code: "plan-file-invalid",
    severity: "note",
    what: 'Group "audit" is used by no table',
    place: plans.at("shared/audit.yaml", 1),
  };
  const report = diagnosticsReport([note, plans.narrowed, plans.narrowed, plans.droppedSilently], {
    sources: plans.sources,
    checked: prose("3 files checked."),
  });

  it("reads well on a terminal", async () => {
    const text = renderTerminal(report, { width: 100, colour: false, verbose: false });
    await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, "goldens/findings.txt"));
  });

  it("cuts a long line around the marked part and keeps the caret beneath it", () => {
    const line = `  - { name: 顧客, comment: "${"very ".repeat(60)}", type: int }`;
    const column = line.indexOf("int") + 1;
    const place = { ...plans.at("t.yaml", 1, column), endColumn: column + 3 };
    const long = diagnosticsReport([{ ...plans.narrowed, place }], { sources: () => line, checked: null });
    const lines = renderTerminal(long, { width: 80, colour: false, verbose: false }).split("\n");
    const excerpt = lines.findIndex((one) => one.includes("int }"));
    const start = lines[excerpt]?.indexOf("int }") ?? -1;
    expect(lines[excerpt]).toContain("| …");
    expect(lines[excerpt + 1]?.slice(start)).toBe("^^^");
    expect(displayWidth(lines[excerpt] ?? "")).toBeLessThanOrEqual(82);
  });

  it("keeps the caret in place behind wide characters and tabs", () => {
    const line = "\t- { name: 顧客, type: int }";
    const place = { ...plans.at("t.yaml", 1, line.indexOf("int") + 1), endColumn: line.indexOf("int") + 4 };
    const text = renderTerminal(diagnosticsReport([{ ...plans.narrowed, place }], { sources: () => line, checked: null }), {
      width: 80,
      colour: false,
      verbose: false,
    }).split("\n");
    const excerpt = text.find((one) => one.includes("1 |")) ?? "";
    const caret = text.find((one) => one.includes("^^^")) ?? "";
    expect(displayWidth(excerpt.slice(0, excerpt.indexOf("int")))).toBe(caret.indexOf("^"));
  });

  it("reads well as Markdown", async () => {
    const { text } = fitMarkdown(report, { budget: 60_000, sourceUrl: null });
    await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, "goldens/findings.md"));
  });

  it("is JSON by the schema's own diagnostic", () => {
    const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../schemas/plan.schema.json"), "utf8")) as {
      $id: string;
    };
    const validate = new Ajv2020({ allowUnionTypes: true }).addSchema(schema).compile({
      type: "object",
      properties: { diagnostics: { type: "array", items: { $ref: `${schema.$id}#/$defs/diagnostic` } } },
    });
    validate(report.json);
    expect(validate.errors).toBeNull();
    expect(report.json["diagnostics"]).toHaveLength(3);
  });

  it("says so when there are none", () => {
    const none = diagnosticsReport([], { sources: () => undefined, checked: prose("3 files checked.") });
    expect(renderTerminal(none, { width: 100, colour: false, verbose: false })).toBe("No findings. 3 files checked.\n");
  });
});
