// The terminal and the log of a job: no sequence but our own colours, no line that a runner obeys, and the text is there.
import { expect, it } from "vitest";
import { visible } from "../../../src/report/escape.ts";
import { renderTerminal } from "../../../src/report/formats/terminal.ts";
import { runnerCommands } from "../../action/support.ts";
import { unseenIn } from "../../action/harmless.ts";
import { IS_LONG } from "../../long.ts";
import { cells, complaints, notShown, TEXTS, SHORT } from "./cells.ts";
import { SOURCES } from "./sources.ts";

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

it.each([
  ["with colour, wide", { width: 200, colour: true, verbose: true }],
  ["without, narrow", { width: 40, colour: false, verbose: false }],
])("a terminal %s shows every text as text", (_, options) => {
  expect(
    complaints((cell) => {
      const drawn = renderTerminal(cell.report, options);
      const plain = drawn.replace(COLOUR, "");
      return [
        ...unseenIn(plain),
        ...runnerCommands(drawn).map((name) => `the runner would obey ${name}`),
        ...(options.verbose ? notShown(cell, visible, plain) : []),
      ];
    }),
  ).toEqual([]);
});

it("looks at every text from every source", () => {
  expect(Object.keys(SOURCES)).toHaveLength(16);
  expect(TEXTS.length).toBeGreaterThan(170);
  // By some source each, but for those that places shorten.
  const told = new Set(cells().flatMap(({ shown }) => shown));
  expect(TEXTS.filter((text) => text !== "" && text.length <= SHORT && !told.has(text))).toEqual([]);
  expect(cells().reduce((sum, { shown }) => sum + shown.length, 0)).toBeGreaterThan(TEXTS.length * (IS_LONG ? 11 : 2));
});
