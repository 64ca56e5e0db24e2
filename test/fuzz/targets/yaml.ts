// Table files and shared groups as text: read, planned as a new table and planned again, formatted to a rest. A file of
// any kind is read by all readers, as a person may put any of them anywhere.
import { isDeepStrictEqual } from "node:util";
import { resolveTable } from "../../../src/desired/build-table-spec.ts";
import { readConfig } from "../../../src/desired/config/read-config.ts";
import { readGroup } from "../../../src/desired/declaration/read-group.ts";
import { readTable } from "../../../src/desired/declaration/read-table.ts";
import { formatYaml } from "../../../src/desired/format-yaml.ts";
import { parseWholeYaml, parseYaml } from "../../../src/desired/parse-yaml.ts";
import type { TableSpec } from "../../../src/desired/table-spec.ts";
import { readQuickly } from "../../../src/desired/yaml/quick-tree.ts";
import { sourceText } from "../../../src/desired/yaml/source-text.ts";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { planTable } from "../../../src/plan/plan-table.ts";
import { simulatedPair } from "../../../src/plan/simulate.ts";
import { bare } from "../../desired/support.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { mutateTree } from "../mutate/json.ts";
import { mutateText, utf8WithSurrogates } from "../mutate/text.ts";
import { printYaml, type Tree, treeOf } from "../mutate/tree.ts";
import type { Random } from "../random.ts";
import type { SeedFile } from "../seeds.ts";
import { toJson } from "../../../src/desired/yaml/tree.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";
import { PLACE } from "./metadata.ts";

const FILE = "t.yaml";
const FORMATTED = 5;

export interface YamlSeed {
  readonly text: string;
  readonly tree: Tree;
}

export function yamlSeeds(seeds: readonly SeedFile[]): readonly YamlSeed[] {
  return seeds.flatMap(({ bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const { root } = parseYaml(sourceText(FILE, text));
    return root === null ? [] : [{ text, tree: treeOf(toJson(root)) }];
  });
}

export function mutateYaml(seeds: readonly YamlSeed[], random: Random): string {
  const { text, tree } = random.pick(seeds);
  const other = random.pick(seeds);
  if (!random.once(3)) return mutateText(text, random, other.text, 3);
  return printYaml(mutateTree(tree, random, other.tree, 4), random.pick([0, 1, 2, 9])).trimStart();
}

/** A table or a shared group. */
export function isTableFile({ path, bytes }: SeedFile): boolean {
  return /\.ya?ml$/.test(path) && /^(?:table|columns-of):/m.test(new TextDecoder().decode(bytes));
}

export const tableYaml: FuzzTarget = {
  name: "table-yaml",
  about: "table files and shared groups: parser, validator, planner, formatter",
  isSeed: isTableFile,
  open: (files) => {
    const seeds = yamlSeeds(files);
    return {
      make: (random) => {
        const bytes = utf8WithSurrogates(mutateYaml(seeds, random));
        return random.once(30) ? mutateBytes(bytes, random, bytes, 3) : bytes;
      },
      use: (input) => useTable(new TextDecoder("utf-8", { ignoreBOM: true }).decode(input)),
    };
  },
};

function useTable(text: string): Outcome {
  const source = sourceText(FILE, text);
  const parsed = parseYaml(source);
  const quick = readQuickly(text);
  if (quick !== null && !isDeepStrictEqual(parseWholeYaml(source).root, quick)) {
    throw new WrongAcceptance("The quick reader and the library read it otherwise");
  }
  const found = [...readGroup(parsed, ["dev"]).diagnostics, ...readConfig(parsed, "/project").diagnostics];
  const { declaration, diagnostics } = readTable(parsed, { groups: new Map(), environments: ["dev"] });
  checkPlaces([...found, ...diagnostics], text);
  // Formatting takes a round for each thing that is mended: it is tried on one in so many, and on no long file.
  const isFormatted = text.length < 8000 && text.length % FORMATTED === 0;
  const formatted = isFormatted ? formatYaml(source) : text;
  if (isFormatted && formatYaml(sourceText(FILE, formatted)) !== formatted) {
    throw new WrongAcceptance("Formatting it twice is not formatting it once");
  }
  const error = diagnostics.find((one) => one.severity === "error");
  if (declaration === null || error !== undefined) return refused(error?.code ?? "no declaration");
  if (parsed.diagnostics.length === 0 && !diagnostics.some((one) => (one.edits ?? []).length > 0)) {
    const again = readTable(parseYaml(sourceText(FILE, formatted)), { groups: new Map(), environments: ["dev"] });
    if (!isDeepStrictEqual(bare(declaration), bare(again.declaration))) {
      throw new WrongAcceptance("It declares something else after it was formatted");
    }
  }
  const { spec, diagnostics: own } = resolveTable(declaration, PLACE.config, PLACE.environment);
  return spec === null ? refused(own[0]?.code ?? "no table") : planNew(spec);
}

/** Planned where nothing is, and again where that is: no step is left then. */
function planNew(spec: TableSpec): Outcome {
  const input = {
    spec,
    live: null,
    namespaceExists: true,
    catalog: PLACE.catalog,
    policy: PLACE.environment.policy,
    evidence: null,
    preflight: null,
  };
  const { plan, change } = planTable(input);
  if (change === null) return refused(plan.blockers[0]?.code ?? "no change");
  const { live } = simulatedPair(input, change);
  if (live === null) throw new WrongAcceptance("Nothing is live after the plan");
  const next = planTable({ ...input, live }).plan;
  const left = [...next.steps.map(({ kind }) => kind), ...next.blockers.map(({ what }) => what)];
  if (left.length > 0) throw new WrongAcceptance(`The next plan is not empty: ${left.join(", ")}`);
  return ACCEPTED;
}

function checkPlaces(diagnostics: readonly Diagnostic[], text: string): void {
  const lines = text.split("\n").length;
  for (const { code, place, edits } of diagnostics) {
    const isInside = place === undefined || (place.line >= 1 && place.line <= lines && place.column >= 1);
    if (!isInside) throw new WrongAcceptance(`${code} is placed outside of the file`);
    for (const edit of edits ?? []) {
      if (edit.start > edit.end || edit.end > text.length) throw new WrongAcceptance(`${code} mends what is outside of the file`);
    }
  }
}
