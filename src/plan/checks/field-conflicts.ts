// Fields that both Git and another writer changed since floeplan last applied: told value by value, with both
// answers. Without a base, or where its schema was removed, there is nothing to compare and no conflict.
import { type Diagnostic, diagnostic, type Place } from "../../diagnostics/diagnostic.ts";
import { indexSchema } from "../../iceberg/schema-index.ts";
import { schemaById } from "../../iceberg/table-metadata.ts";
import { isPrimitive, type Schema } from "../../iceberg/type.ts";
import { formatType } from "../../iceberg/type-text.ts";
import type { SchemaNode } from "../../iceberg/walk.ts";
import { isDeclaredPrimitive } from "../declared-type.ts";
import { allLevels, allMatches } from "../match-fields.ts";
import type { NodeMatch } from "../match.ts";
import type { LivePair, TablePair } from "../table-pair.ts";

/** One thing about a field in the three places; `undefined`: the file says nothing about it. */
interface ThreeWay {
  readonly what: string;
  readonly base: string;
  readonly live: string;
  readonly declared: string | undefined;
}

export function fieldConflicts(pair: TablePair): Diagnostic[] {
  const live = pair.pair;
  const schema = live === null ? undefined : baseSchema(live);
  if (live === null || schema === undefined) return [];
  const index = indexSchema(schema);
  const found: Diagnostic[] = [];
  for (const match of allMatches(live.level)) {
    const node = match.live === null || !isKnown(live, match.live.id) ? undefined : index.byId(match.live.id);
    if (node === undefined) continue;
    const conflicts = threeWays(match, node).filter(isConflict);
    if (conflicts.length > 0) found.push(conflict(match.declared.path, match.declared.place, conflicts, pair));
  }
  return [...found, ...renamesTwice(pair, live, schema)];
}

function baseSchema({ base, metadata }: LivePair): Schema | undefined {
  return base === null || base.schemaId === null ? undefined : schemaById(metadata, base.schemaId);
}

function isKnown({ base }: LivePair, id: number): boolean {
  return base?.fieldIds.has(id) === true;
}

function threeWays({ declared, live }: NodeMatch, base: SchemaNode): ThreeWay[] {
  if (live === null) return [];
  const requiredText = (required: boolean): string => (required ? "required" : "optional");
  const ways: ThreeWay[] = [
    { what: "name", base: base.name, live: live.name, declared: declared.name },
    {
      what: "requiredness",
      base: requiredText(base.required),
      live: requiredText(live.required),
      declared: requiredText(declared.required),
    },
    { what: "comment", base: base.field?.doc ?? "", live: live.doc ?? "", declared: declared.comment?.value },
  ];
  if (isPrimitive(base.type) && isPrimitive(live.type) && isDeclaredPrimitive(declared.type)) {
    ways.push({ what: "type", base: formatType(base.type), live: formatType(live.type), declared: formatType(declared.type) });
  }
  return ways;
}

function isConflict({ base, live, declared }: ThreeWay): boolean {
  return declared !== undefined && live !== base && declared !== base && declared !== live;
}

/** Git renamed a field away from the name that the base knows, and somebody else to a third name. */
function renamesTwice(pair: TablePair, live: LivePair, schema: Schema): Diagnostic[] {
  const index = indexSchema(schema);
  return [...allLevels(live.level)].flatMap((level) =>
    level.matches.flatMap(({ declared, how }) => {
      if (how !== "new") return [];
      const other = level.undeclared.find((node) => {
        const before = index.byId(node.id);
        return (
          isKnown(live, node.id) &&
          before !== undefined &&
          before.name !== node.name &&
          declared.renamedFrom.some((hint) => hint.value === before.name)
        );
      });
      if (other === undefined) return [];
      const base = index.byId(other.id)?.name ?? "";
      return [
        conflict(
          declared.path,
          declared.renamedFrom[0]?.place ?? declared.place,
          [{ what: "name", base, live: other.name, declared: declared.name }],
          pair,
        ),
      ];
    }),
  );
}

function conflict(path: string, place: Place, ways: readonly ThreeWay[], pair: TablePair): Diagnostic {
  const say = (value: string | undefined): string => (value === undefined || value === "" ? "none" : `"${value}"`);
  return diagnostic("field-conflict", {
    what: `Cannot decide about "${path}": Git and another writer both changed it`,
    why: ways
      .map(({ what, base, live, declared }) => `${what}: last applied ${say(base)}, live ${say(live)}, declared ${say(declared)}`)
      .join("; "),
    mend: "Take theirs: write the live value into the file. Keep yours: put the live table back to the last applied value first, then plan again",
    place,
    table: pair.spec.name,
    field: path,
  });
}
