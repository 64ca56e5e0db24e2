// Columns that are planned as new where a rename was probably meant: nothing is guessed, and the plan says so before
// an empty column stands beside the one that holds the values.
import { nearest } from "../diagnostics/near-spelling.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { isPathError, parsePath } from "../iceberg/field-path.ts";
import { declaredTypeText, shortTypeText } from "./declared-type.ts";
import type { LevelMatch, NodeMatch } from "./match.ts";
import { allLevels } from "./match-fields.ts";
import type { LiveNode } from "./node.ts";
import type { TablePair } from "./table-pair.ts";
import { formatType } from "../iceberg/type-text.ts";

export function renameWarnings({ spec, pair }: TablePair): readonly Diagnostic[] {
  if (pair === null) return [];
  const drifted = new Set(pair.undeclared.filter((one) => one.verdict === "drift").map(({ node }) => node.id));
  return [...allLevels(pair.level)].flatMap((level) =>
    level.matches.flatMap((match, index) => {
      if (match.how !== "new") return [];
      const found = match.declared.renamedFrom.length > 0 ? hintNotFound(match, level) : takenPlace(match, index, level, drifted);
      return found === null ? [] : [{ ...found, table: spec.name }];
    }),
  );
}

/** A hint that names nothing here: mistyped, written as a path, or meant for another environment. */
function hintNotFound({ declared }: NodeMatch, { live }: LevelMatch): Diagnostic | null {
  const [hint] = declared.renamedFrom;
  if (hint === undefined) return null;
  const names = live.map(({ name }) => name);
  const isTaken = names.includes(hint.value);
  const segments = parsePath(hint.value);
  const last = (isPathError(segments) ? null : segments.at(-1)) ?? hint.value;
  const meant = names.includes(last) ? last : nearest(hint.value, names);
  const isPath = last !== hint.value;
  return diagnostic("renamed-from-not-found", {
    what: `Cannot rename "${hint.value}" to "${declared.name}": "${declared.path}" is planned as a new column`,
    why: isTaken
      ? `"${hint.value}" is live and the file still declares it`
      : `No live column beside it is called "${hint.value}"${isPath ? "; `renamed-from` takes the name alone, without the path" : ""}`,
    mend: isTaken
      ? `Remove "${hint.value}" from the file if it was renamed, else remove \`renamed-from\``
      : meant === null
        ? "Correct the name, or remove `renamed-from` if the column is new"
        : `Did you mean "${meant}"?`,
    place: hint.place,
    field: declared.path,
  });
}

/** A new column of the same type where an undeclared one stood, and nothing else moved. */
function takenPlace(match: NodeMatch, index: number, level: LevelMatch, drifted: ReadonlySet<number>): Diagnostic | null {
  const { declared } = match;
  const old = level.undeclared.find((node) => drifted.has(node.id) && sameType(node, match) && isPlaceOf(node, index, level));
  if (old === undefined) return null;
  return diagnostic("rename-likely", {
    what: `"${declared.path}" is planned as a new column where "${old.path}" stands`,
    why: `Both are ${shortTypeText(old.type)}; the new column is empty, and "${old.name}" keeps its values and goes undeclared`,
    mend: `If it was renamed, write \`renamed-from: [ ${old.name} ]\` on "${declared.name}"; if it is new, nothing`,
    place: declared.place,
    field: declared.path,
  });
}

function sameType({ type }: LiveNode, { declared }: NodeMatch): boolean {
  return formatType(type) === declaredTypeText(declared.type);
}

/** The neighbours in the file are the neighbours in the table. */
function isPlaceOf({ id }: LiveNode, index: number, { live, matches }: LevelMatch): boolean {
  const at = live.findIndex((node) => node.id === id);
  const before = matches[index - 1]?.live?.id;
  const after = matches[index + 1]?.live?.id;
  return live[at - 1]?.id === before && live[at + 1]?.id === after;
}
