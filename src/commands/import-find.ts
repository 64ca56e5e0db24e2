// Which live tables an import is about: names and globs against what the catalogs of one environment hold, each with
// the name that it would be declared under. Reads names only.
import type { Catalog } from "../catalog/catalog.ts";
import { fillNamespace } from "../desired/config/templates.ts";
import { nearest } from "../diagnostics/near-spelling.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath, type GlobSegment, isGlob, isPathError, matchesGlob, parseGlob } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { declaredNamespace } from "./import-names.ts";

export interface SourceCatalog {
  /** Logical name. */
  readonly name: string;
  readonly catalog: Catalog;
  /** Namespace template of the environment. */
  readonly template: string | null;
}

export interface FoundTable {
  readonly source: SourceCatalog;
  readonly identifier: TableIdentifier;
  /** Namespace levels and name to declare; null where the template makes no such namespace. */
  readonly declared: readonly string[] | null;
  /** Was it named, and not only matched by a glob? */
  readonly named: boolean;
}

/** In the order of their names; a word that finds nothing is an error, as everywhere. */
export async function findTables(
  sources: readonly SourceCatalog[],
  words: readonly string[],
  exclude: readonly string[],
): Promise<readonly FoundTable[]> {
  const globs = words.map(globOf);
  const excluded = exclude.map(globOf);
  const all: FoundTable[] = [];
  for (const source of sources) {
    for (const namespace of namespacesOf(globs, source.template)) {
      for await (const identifier of source.catalog.listTables(namespace)) all.push(found(source, identifier));
    }
  }
  const isKept = (one: FoundTable): boolean => !excluded.some((glob) => matches(glob, [one]).length > 0);
  if (words.length === 0) return all.filter(isKept);
  const chosen = new Map<FoundTable, FoundTable>();
  globs.forEach((glob, index) => {
    const matching = matches(glob, all);
    if (matching.length === 0) throw nothingFound(words[index] ?? "", sources, all);
    const named = !isGlob(glob);
    for (const one of matching) chosen.set(one, { ...one, named: named || chosen.get(one)?.named === true });
  });
  return all.filter(isKept).flatMap((one) => chosen.get(one) ?? []);
}

function found(source: SourceCatalog, identifier: TableIdentifier): FoundTable {
  const namespace = declaredNamespace(source.template, identifier.namespace);
  return { source, identifier, declared: namespace === null ? null : [...namespace, identifier.name], named: false };
}

/** The namespaces that the words can mean, as declared or as live; `undefined` for all there are. */
function namespacesOf(globs: readonly (readonly GlobSegment[])[], template: string | null): (readonly string[] | undefined)[] {
  const all = globs.map((glob) => glob.slice(0, -1));
  if (all.length === 0 || all.some((glob) => glob.length === 0 || isGlob(glob))) return [undefined];
  const written = all.map((glob) => glob.map((segment) => segment.text));
  const live = template === null ? [] : written.map((namespace) => fillNamespace(template, namespace));
  const byText = new Map([...live, ...written].map((namespace) => [JSON.stringify(namespace), namespace]));
  return [...byText.values()];
}

/** The declared name goes first: it is what every other command takes. The live name serves where that finds nothing. */
function matches(glob: readonly GlobSegment[], all: readonly FoundTable[]): readonly FoundTable[] {
  if (glob.length === 1 && (glob[0]?.text === "*" || glob[0]?.text === "**") && glob[0].isQuoted === false) return all;
  const byDeclared = all.filter(({ declared }) => declared !== null && matchesGlob(glob, declared));
  return byDeclared.length > 0 ? byDeclared : all.filter(({ identifier }) => matchesGlob(glob, liveName(identifier)));
}

export function liveName({ namespace, name }: TableIdentifier): readonly string[] {
  return [...namespace, name];
}

function globOf(word: string): readonly GlobSegment[] {
  const glob = parseGlob(word);
  if (!isPathError(glob)) return glob;
  throw new ToolError("usage", `Cannot read "${word}" as a table name`, {
    why: glob.why,
    mend: `Write namespace and table: ${glob.mend ?? "sales.orders"}, or a glob: 'sales.*'`,
  });
}

function nothingFound(word: string, sources: readonly SourceCatalog[], all: readonly FoundTable[]): ToolError {
  const close = nearest(
    word,
    all.map(({ identifier, declared }) => formatPath(declared ?? liveName(identifier))),
  );
  return new ToolError("not-found", `Cannot find table "${word}"`, {
    why: `No table of ${sources.map(({ catalog }) => catalog.label).join(", ")} has this name`,
    mend: close === null ? "Write namespace and table, or a glob over both: 'sales.*'" : `Did you mean "${close}"?`,
  });
}
