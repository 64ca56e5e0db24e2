// One wall of the gallery: each code of an area with what a person reads when it strikes, drawn as on a terminal of 100
// cells. Says what a picture lacks: of the voice that all messages have, and of what docs/diagnostics.md promises.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { CODES, isDiagnosticCode } from "../../../src/diagnostics/codes.ts";
import { type Diagnostic, sortDiagnostics } from "../../../src/diagnostics/diagnostic.ts";
import { findingOf, NO_SOURCES, type Sources } from "../../../src/report/excerpt.ts";
import { findingsLines } from "../../../src/report/formats/terminal-findings.ts";
import { terminalStyle } from "../../../src/report/formats/terminal-style.ts";
import { faultsOf } from "./voice.ts";

const PAGE = readFileSync(resolve(import.meta.dirname, "../../../docs/diagnostics.md"), "utf8");
const WIDTH = 100;

/** What a scene found, and the files that it was found in. */
export interface Picture {
  readonly found: readonly Diagnostic[];
  readonly sources?: Sources;
}

export type Hung = readonly (readonly [code: string, picture: Picture])[];

/** Fails where a code has no picture, where a message is out of voice, or where it says another thing than before. */
export async function expectWall(area: string, hung: Hung): Promise<void> {
  const missing = hung
    .filter(([code, picture]) => findingIn(code, picture) === undefined)
    .map(([code, { found }]) => [code, found]);
  expect(missing, "codes that were not found").toEqual([]);
  const pictures = hung.flatMap(([code, picture]) => {
    const one = findingIn(code, picture);
    return one === undefined ? [] : [{ code, one, text: drawn(one, picture.sources) }];
  });
  expect(
    pictures.flatMap(({ code, one, text }) => [...faultsOf(one), ...unkept(code, text)].map((fault) => `${code}: ${fault}`)),
  ).toEqual([]);
  await expect(`${pictures.map(({ text }) => text).join("\n\n")}\n`).toMatchFileSnapshot(goldenFile(area));
}

export function goldenFile(area: string): string {
  return join(import.meta.dirname, "golden", `${area}.txt`);
}

function findingIn(code: string, { found }: Picture): Diagnostic | undefined {
  return sortDiagnostics(found).find((one) => one.code === code);
}

/** In full, whatever its severity: notes are shortened elsewhere. */
function drawn(one: Diagnostic, sources: Sources = NO_SOURCES): string {
  const items = [findingOf(settled(one), sources)];
  return findingsLines({ kind: "findings", detail: "full", items }, WIDTH, terminalStyle(false)).join("\n");
}

/** Without what differs from run to run: folders of the test, ids of commits and plans. */
function settled(one: Diagnostic): Diagnostic {
  const { why, mend } = one;
  return {
    ...one,
    what: settledText(one.what),
    ...(why === undefined ? {} : { why: settledText(why) }),
    ...(mend === undefined ? {} : { mend: settledText(mend) }),
  };
}

export function settledText(text: string): string {
  return text
    .replace(/\/[^\s"]*\/(?:floeplan|project)-[^\s"/]+/g, "/lake")
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8}\b/g, "0123abcd");
}

/** Words of code that the page's remedy promises, of which the message says none. */
function unkept(code: string, text: string): readonly string[] {
  const promised = remedyWords(code);
  const said = text.replace(/\s+/g, " ");
  if (promised.length === 0 || promised.some((word) => said.includes(word))) return [];
  return [`docs/diagnostics.md promises one of ${promised.join(", ")}`];
}

function remedyWords(code: string): readonly string[] {
  if (!isDiagnosticCode(code)) throw new Error(`"${code}" is none of ${Object.keys(CODES).length} codes`);
  const [, body = ""] = new RegExp(`^### ${code}\\n([\\s\\S]*?)(?=^##)`, "m").exec(PAGE) ?? [];
  const [, remedy = ""] = /Remedy[^:]*:([\s\S]*)/.exec(body) ?? [];
  return [...remedy.matchAll(/`+([^`]+)`+/g)].map(([, text = ""]) => wordOf(text)).filter((word) => word !== "");
}

/** `id: new` gives `id`, `- use: NAME` gives `use`, `--approve ID` gives `--approve`. */
function wordOf(text: string): string {
  return /^[^\w-]*([\w.-]*[\w])/.exec(text.replace(/^(?:floeplan|-) /, ""))?.[1] ?? "";
}
