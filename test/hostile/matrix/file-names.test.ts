// Names of files that an import makes of live names: below the folder, of a length that every file system takes, without a
// sign that a shell or a glob reads, and no device of Windows.
import { expect, it } from "vitest";
import { posix } from "node:path";
import { pathFor, usualPath } from "../../../src/commands/import-names.ts";
import { TEXTS } from "./cells.ts";

const NAMES = TEXTS.filter((text) => text !== "");
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const MORE = NAMES.flatMap((text) => [
  ["ns", text],
  [text, "t"],
  [text, text],
]);

it.each([
  ["the usual folder", usualPath],
  ["a project with its own folder", (name: readonly string[]) => pathFor({ tables: ["lake/**/*.yaml"] }, name) ?? "none"],
  ["a flat project", (name: readonly string[]) => pathFor({ tables: ["tables/*.yml"] }, name) ?? "none"],
])("in %s are harmless", (_, pathOf) => {
  const wrong = MORE.flatMap((name) => {
    const path = pathOf(name);
    const words = path.split("/");
    const faults = [
      posix.normalize(path) === path && !posix.isAbsolute(path) && words[0] !== ".." ? null : "leaves its folder",
      words.every((word) => Buffer.byteLength(word) <= 255) ? null : "is too long",
      /[^\p{L}\p{M}\p{N}._/-]/u.test(path) ? "has a sign that something reads" : null,
      words.some((word) => DEVICE.test(word)) ? "is a device" : null,
      words.some((word) => /[. ]$/.test(word) || word.startsWith(".") || word.startsWith("-"))
        ? "begins or ends with a sign"
        : null,
      /\p{Cs}/u.test(path) ? "has half a character" : null,
    ];
    return faults.flatMap((fault) =>
      fault === null ? [] : [`${JSON.stringify(name).slice(0, 80)}: ${path.slice(0, 80)} ${fault}`],
    );
  });
  expect(wrong).toEqual([]);
});

it("are different where the names are, also where the form of an accent does not count", () => {
  const folded = (name: string): string => usualPath(["ns", name]).normalize("NFC");
  const paths = new Map<string, string>();
  const twins = NAMES.flatMap((name) => {
    const before = paths.get(folded(name));
    paths.set(folded(name), name);
    return before === undefined ? [] : [[before, name]];
  });
  expect(twins).toEqual([]);
});
