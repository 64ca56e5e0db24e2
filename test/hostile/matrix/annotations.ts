// Annotations of a job: workflow commands on standard output, by the grammar of the runner (`::name key=value::text`, with
// %25, %0D, %0A, %3A and %2C). One command a finding, of our three names, whose text and path come back as text.
import { afterEach, expect, it, vi } from "vitest";
import { createLog } from "../../../src/action/log.ts";
import { visible } from "../../../src/report/escape.ts";
import { unseenIn } from "../../action/harmless.ts";
import { complaints, notShown } from "./cells.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const COMMAND = /^::(error|warning|notice) ([^:]*)::(.*)$/;

/** The longest message is cut, and GitHub shows ten of a level: each finding for itself. */
function commandsOf(findings: Parameters<ReturnType<typeof createLog>["annotate"]>[0]): readonly string[] {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const log = createLog({ write: (text) => written.push(text) });
  for (const one of findings) log.annotate([one], "");
  spy.mockRestore();
  return written
    .join("")
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== "");
}

const decoded = (text: string): string =>
  text.replace(/%(25|0D|0A|3A|2C)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

it("annotations hold every text as text, one command a finding", () => {
  expect(
    complaints((cell) => {
      const lines = commandsOf(cell.findings);
      const read = lines.map((line) => COMMAND.exec(line));
      const properties = read.flatMap((match) => (match?.[2] ?? "").split(",").map((one) => one.split("=", 1)[0] ?? ""));
      const seen = read.map((match) => decoded(`${match?.[2] ?? ""} ${match?.[3] ?? ""}`)).join("\n");
      const isTold =
        cell.findings.length > 0 &&
        ["keys of a file", "paths of files", "owners of live tables", "reasons of holds"].includes(cell.source);
      return [
        ...read.flatMap((match, at) => (match === null ? [`no command of ours: ${lines[at]}`] : [])),
        ...(lines.length === cell.findings.length ? [] : [`${lines.length} commands for ${cell.findings.length} findings`]),
        ...properties.filter((name) => !["title", "file", "line", "endLine", "col", "endColumn"].includes(name)),
        ...unseenIn(seen),
        ...(isTold ? notShown(cell, visible, seen) : []),
      ];
    }),
  ).toEqual([]);
});
