// Reads table texts for the tests of desired/ and prints findings in one line each.
import type { TableDeclaration } from "../../src/desired/declaration/declaration.ts";
import { readTable } from "../../src/desired/declaration/read-table.ts";
import { type ParsedYaml, parseYaml } from "../../src/desired/parse-yaml.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";

export function parse(text: string, file = "t.yaml"): ParsedYaml {
  return parseYaml(sourceText(file, text));
}

export interface Read {
  readonly declaration: TableDeclaration | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function read(text: string, environments: readonly string[] = ["dev", "prod"]): Read {
  return readTable(parse(text), { groups: new Map(), environments });
}

/** `3:12 unknown-key`, in order of place. */
export function codes(diagnostics: readonly Diagnostic[]): string[] {
  return [...diagnostics]
    .sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0))
    .map((one) => `${one.place?.line ?? 0}:${one.place?.column ?? 0} ${one.code}`);
}

/** A table with these column lines, and keys behind them. */
export function table(columns: string, rest = ""): string {
  return `table: sales.orders\ncolumns:\n${columns}\n${rest}`;
}

/** The declaration of a text without findings. */
export function declared(text: string): TableDeclaration {
  const { declaration, diagnostics } = read(text);
  const errors = diagnostics.filter((one) => one.severity === "error");
  if (declaration === null || errors.length > 0) throw new Error(`Not read: ${JSON.stringify(errors)}`);
  return declaration;
}

/** Without places, so that only what is declared is compared. */
export function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) => {
      if (key === "place" || key === "places" || key === "file") return undefined;
      if (one instanceof Map) return Object.fromEntries(one);
      return typeof one === "bigint" ? Number(one) : one;
    }),
  );
}
