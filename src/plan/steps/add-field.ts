// add-field: a declared field that the live table never had, or that is meant to be new. At the end of its
// struct it is metadata only; elsewhere writers by position notice.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { FormatVersion } from "../../iceberg/table-metadata.ts";
import { ddl, literalSpark, pathHive, pathTrino, quoteHive, quoteTrino } from "../ddl.ts";
import { athenaType, sparkType, trinoType } from "../ddl-types.ts";
import { declaredDefault, placeholders, toType } from "../declared-schema.ts";
import { declaredTypeText, shortTypeText } from "../declared-type.ts";
import type { FieldKey } from "../level-order.ts";
import { allLevels } from "../match-fields.ts";
import type { LevelMatch, NodeMatch } from "../match.ts";
import { isInsertedKey, nameOfKey, placementOf, placementsBehind } from "../placements.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import { splitPath } from "../split-path.ts";
import type { LivePair, TablePair } from "../table-pair.ts";

export const addField: StepKind = {
  kind: "add-field",
  detect(pair) {
    const live = pair.pair;
    if (live === null) return [];
    return [...allLevels(live.level)].flatMap((level) =>
      level.matches.flatMap((match, rank): readonly (PlannedStep | Diagnostic)[] => {
        if (match.how !== "new" || match.live !== null) return [];
        const problem = addProblem(match, live.metadata.formatVersion, pair);
        return problem === null ? [addStep(match, rank, level, live, pair)] : [problem];
      }),
    );
  },
};

function addProblem({ declared }: NodeMatch, formatVersion: FormatVersion, pair: TablePair): Diagnostic | null {
  const version = pair.spec.formatVersion ?? formatVersion;
  const hasDefault = typeof declared.default?.value === "string";
  if (!declared.required || (hasDefault && version >= 3)) return null;
  return diagnostic("required-without-default", {
    what: `Cannot add "${declared.path}" as required`,
    why:
      version >= 3
        ? "existing rows hold no value for it, and it has no default"
        : `format version ${version} has no value for the existing rows`,
    mend:
      version >= 3
        ? "Give it a default, or make it optional"
        : "Make it optional, or set `format-version: 3` and give it a default",
    place: declared.place,
    table: pair.spec.name,
    field: declared.path,
  });
}

function addStep(match: NodeMatch, rank: number, level: LevelMatch, live: LivePair, pair: TablePair): PlannedStep {
  const { declared, whyNotRestored } = match;
  const segments = splitPath(declared.path);
  const order = live.orders.get(level);
  const key: FieldKey = `new:${rank}`;
  const placement = order === undefined ? undefined : placementOf(order, key);
  const isInserted = order !== undefined && isInsertedKey(order, key);
  const after = placement === undefined ? undefined : placement.after === null ? null : nameOfKey(placement.after, level);
  const version = pair.spec.formatVersion ?? live.metadata.formatVersion;
  const type = toType(declared.type, segments, placeholders(), version >= 3);
  const value = declaredDefault({ default: declared.default }, type);
  const comment = declared.comment?.value ?? "";
  return planStep(pair, {
    kind: "add-field",
    path: declared.path,
    effect: isInserted ? "behaviour" : "metadata",
    before: null,
    after: {
      type: declaredTypeText(declared.type),
      required: declared.required,
      ...(comment === "" ? {} : { comment }),
      ...(value === undefined ? {} : { default: value }),
      ...(isInserted ? { after: after ?? null } : {}),
    },
    place: declared.place,
    sql: addSql(match, isInserted ? after : undefined, pair),
    edit: (draft) => {
      const id =
        draft.got(
          draft.schema.addField(level.parentId, {
            name: declared.name,
            type,
            required: declared.required,
            ...(comment === "" ? {} : { doc: comment }),
            ...(value === undefined ? {} : version >= 3 ? { default: value } : { writeDefault: value }),
          }),
        ) ?? -1;
      const known = draft.newIds.get(level) ?? new Map<string, number>();
      draft.newIds.set(level, known.set(key, id));
      if (order !== undefined) for (const each of placementsBehind(order, key)) draft.place(level, each);
      return { newId: id };
    },
    text: ({ newId }) => ({
      symbol: "+",
      subject: declared.path,
      change: shortTypeText(declared.type),
      detail: [
        newId === null ? "" : `new id ${newId}`,
        isInserted ? (after === null || after === undefined ? "at the front" : `behind ${after}`) : "",
        value === undefined ? "" : version >= 3 ? "existing rows read the default" : "existing rows read null",
        whyNotRestored ?? "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    }),
  });
}

function addSql({ declared }: NodeMatch, after: string | null | undefined, pair: TablePair): PlannedStep["sql"] {
  const isTop = splitPath(declared.path).length === 1;
  const comment = declared.comment?.value ?? "";
  return ddl(pair, ({ hive, trino }) => {
    const place = after === undefined ? "" : after === null ? " FIRST" : ` AFTER ${quoteHive(after)}`;
    const sparkComment = comment === "" ? "" : ` COMMENT ${literalSpark(comment)}`;
    return {
      spark: declared.required
        ? null
        : `ALTER TABLE ${hive} ADD COLUMN ${pathHive(declared.path)} ${sparkType(declared.type)}${sparkComment}${place}`,
      athena:
        isTop && after === undefined && !declared.required
          ? `ALTER TABLE ${hive} ADD COLUMNS (${quoteHive(declared.name)} ${athenaType(declared.type)})`
          : null,
      trino:
        after === undefined && !declared.required
          ? `ALTER TABLE ${trino} ADD COLUMN ${isTop ? quoteTrino(declared.name) : pathTrino(declared.path)} ${trinoType(declared.type)}`
          : null,
    };
  });
}
