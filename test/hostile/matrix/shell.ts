// The command that a plan says is next: typed into a shell it is one command of ours, whose words are the names.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { plainText } from "../../../src/report/text.ts";
import { cells } from "./cells.ts";

it("is read by a shell as the words that are meant", () => {
  const lines = cells().flatMap(({ report }) => {
    const next = report.next === null ? "" : plainText(report.next);
    return /^floeplan [^\n]*$/.exec(next)?.[0] ?? [];
  });
  expect(lines.length).toBeGreaterThan(5);
  const script = ['floeplan() { printf \'%s\\0\' "$#" "$@"; }', ...new Set(lines)].join("\n");
  const words = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8", env: {} }).split("\0");
  expect(words.filter((word) => word === "apply")).toHaveLength(new Set(lines).size);
});
