// Every line of the tables in docs/conversions.md is run as it stands there, and the page's lists are complete.
import { describe, expect, it } from "vitest";
import { CONVERSIONS } from "../../src/conversion/index.ts";
import { FAILURE_TEXT, LOSS_TEXT } from "../../src/conversion/words.ts";
import { code, conversionHeadings, type PageCase, pageCases, printValue, tableRows } from "./page.ts";
import { converter } from "./rules.ts";

const cases = pageCases();

function answer(one: PageCase): Pick<PageCase, "becomes" | "failure" | "loss"> {
  const converted = converter(one.to, one.rule, one.from).convert(one.value);
  if ("failure" in converted) return { becomes: null, failure: converted.failure, loss: null };
  const becomes = converted.value === null ? null : printValue(converted.value, one.to);
  return { becomes, failure: null, loss: converted.loss ?? null };
}

describe("docs/conversions.md", () => {
  it.each(conversionHeadings())("tells the truth about %s", (heading) => {
    const name = heading.replace(" → ", "-to-");
    const lines = cases.filter((one) => one.conversion === name);
    expect(lines.length).toBeGreaterThan(4);
    const said = lines.map(({ line, becomes, failure, loss }) => ({ line, becomes, failure, loss }));
    expect(lines.map((one) => ({ line: one.line, ...answer(one) }))).toEqual(said);
  });

  it("has a heading with examples for every conversion", () => {
    const headings = conversionHeadings().map((heading) => heading.replace(" → ", "-to-"));
    expect(headings.toSorted()).toEqual(CONVERSIONS.map((conversion) => conversion.name).toSorted());
  });

  it("names every conversion with its own arguments", () => {
    const rows = tableRows("Conversions").map(([from = "", to = "", own = ""]) => ({ name: `${from}-to-${to}`, own }));
    const common = ["trim", "empty-as-null"];
    const said = CONVERSIONS.map(({ name, arguments: taken }) => ({
      name,
      own: taken
        .filter((argument) => !common.includes(argument))
        .map((argument) => `\`${argument}\``)
        .join(", "),
    }));
    expect(rows).toEqual(said);
  });

  it("uses the program's words for reasons and losses", () => {
    const rows = [...tableRows("Why a value does not convert"), ...tableRows("What a value loses")];
    const words = Object.fromEntries(rows.map(([key = "", text = ""]) => [code(key), text]));
    expect(words).toEqual({ ...FAILURE_TEXT, ...LOSS_TEXT });
  });

  it("lists reasons and losses in the order of the program", () => {
    const keysOf = (heading: string): string[] => tableRows(heading).map(([key = ""]) => code(key));
    expect(keysOf("What a value loses")).toEqual(Object.keys(LOSS_TEXT));
    expect(keysOf("Why a value does not convert")).toEqual(Object.keys(FAILURE_TEXT));
  });

  it("has an example for every reason and every loss but text that is no text", () => {
    const reasons = new Set(cases.flatMap((one) => (one.failure === null ? [] : [one.failure])));
    const losses = new Set(cases.flatMap((one) => (one.loss === null ? [] : [one.loss])));
    expect([...reasons].toSorted()).toEqual(
      Object.keys(FAILURE_TEXT)
        .filter((key) => key !== "not-text")
        .toSorted(),
    );
    expect([...losses].toSorted()).toEqual(Object.keys(LOSS_TEXT).toSorted());
  });
});
