// The voice of every why and mend, whoever words it.
import { expect, it } from "vitest";
import { diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { told } from "../../src/diagnostics/told.ts";

it.each([
  ["the table has it.", "The table has it"],
  ["Rate exceeded.", "Rate exceeded"],
  ["One thing. And another.", "One thing. And another"],
  ["it's gone", "It's gone"],
  // Names of things keep their letters, and what goes on is not cut.
  ["floeplan applied it", "floeplan applied it"],
  ["write.x is theirs", "write.x is theirs"],
  ['"a" has it', '"a" has it'],
  ["and so on…", "And so on…"],
  ["more ...", "More ..."],
  ["", ""],
])("%j is told as %j", (said, wanted) => {
  expect(told(said)).toBe(wanted);
});

it("is that of findings and of errors alike", () => {
  const parts = { why: "it is so.", mend: "change it." };
  const wanted = { why: "It is so", mend: "Change it" };
  expect(diagnostic("yaml-syntax", { what: "Cannot read this as YAML", ...parts })).toMatchObject(wanted);
  expect(new ToolError("refused", "Cannot do it", parts)).toMatchObject(wanted);
});
