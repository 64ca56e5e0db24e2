// convert-type: a type change that the format refuses, done by a rewrite of that column's bytes under a new
// field id. Also says why a type difference cannot be done at all.
import { failureSql } from "../../conversion/failure-sql.ts";
import { findConversion } from "../../conversion/index.ts";
import { failureTotal, type PreflightCounts } from "../../conversion/preflight.ts";
import { FAILURE_TEXT, LOSS_TEXT } from "../../conversion/words.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import { formatType } from "../../iceberg/type-text.ts";
import { conversionBlockers } from "../checks/conversion-blockers.ts";
import { ddl, pathHive, pathTrino } from "../ddl.ts";
import { allMatches } from "../match-fields.ts";
import type { NodeMatch } from "../match.ts";
import type { StepSql } from "../plan.ts";
import { isDiagnostic, type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import type { TablePair } from "../table-pair.ts";
import { type TypeChange, typeChange } from "../type-change.ts";
import { formatBytes, formatCount, plural } from "../../diagnostics/number-words.ts";
import { typedCommand } from "../../diagnostics/typed-command.ts";

type Conversion = Extract<TypeChange, { verdict: "convert" }>;

export const convertType: StepKind = {
  kind: "convert-type",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap((match): readonly (PlannedStep | Diagnostic)[] => {
      const change = typeChange(match, pair);
      if (change.verdict === "refused") return [change.why];
      if (change.verdict !== "convert") return [];
      const blockers = [...conversionBlockers(match, pair), ...badValues(match, change, pair)];
      return [...blockers, convertStep(match, change, pair)].filter((one) => isDiagnostic(one) || blockers.length === 0);
    });
  },
};

function convertStep(match: NodeMatch, change: Conversion, pair: TablePair): PlannedStep {
  const { declared, live } = match;
  const id = live?.id ?? 0;
  const counts = pair.preflight?.get(id) ?? null;
  return planStep(pair, {
    kind: "convert-type",
    path: declared.path,
    fieldId: id,
    effect: "rewrite",
    before: formatType(change.from),
    after: { type: formatType(change.to), rule: { ...change.rule } as unknown as JsonObject },
    place: declared.convert?.place ?? declared.typePlace,
    evidence: { ...volumeFacts(id, pair), ...preflightFacts(counts) },
    expression: writerExpression(change, declared.path),
    failing: failingValues(change, live?.path ?? declared.path, pair),
    edit: (draft) => ({
      newId: draft.convert({ fieldId: id, path: declared.path, to: change.to, rule: change.rule, converter: change.converter }),
    }),
    text: ({ newId }) => ({
      symbol: "!",
      subject: declared.path,
      change: `${formatType(change.from)} → ${formatType(change.to)}`,
      detail: [volumeText(id, pair), ...preflightText(counts), newId === null ? "" : `new id ${newId}`]
        .filter((part) => part !== "")
        .join(", "),
    }),
  });
}

/** The conversion's own meaning on each engine, over the column as writers have it. */
function writerExpression({ from, to, rule }: Conversion, path: string): StepSql {
  const told = (column: string): StepSql =>
    findConversion(from.kind, to.kind)?.sql(rule, from, to, column) ?? { spark: null, athena: null, trino: null };
  return { ...told(pathTrino(path)), spark: told(pathHive(path)).spark };
}

/** Finds the values that do not convert, most frequent first: counts are all that a plan itself tells of them. */
function failingValues({ from, to, rule, conversion }: Conversion, path: string, pair: TablePair): StepSql {
  const finds = (column: string): StepSql => failureSql(conversion, rule, from, to, column);
  const [hive, trino] = [pathHive(path), pathTrino(path)];
  const query = (column: string, table: string, condition: string | null): string | null =>
    condition === null
      ? null
      : `SELECT ${column}, count(*) FROM ${table} WHERE ${condition} GROUP BY ${column} ORDER BY count(*) DESC`;
  return ddl(pair, (names) => ({
    spark: query(hive, names.hive, finds(hive).spark),
    athena: query(trino, names.trino, finds(trino).athena),
    trino: query(trino, names.trino, finds(trino).trino),
  }));
}

/** Under `on-error: fail` a value that does not convert stops the table before anything is written. */
function badValues(match: NodeMatch, change: Conversion, pair: TablePair): Diagnostic[] {
  const counts = match.live === null ? undefined : pair.preflight?.get(match.live.id);
  if (counts === undefined || change.rule.onError !== "fail" || failureTotal(counts) === 0n) return [];
  const isOtherFormat = change.rule.format === undefined && (counts.failures.get("not-in-format") ?? 0n) > 0n;
  return [
    diagnostic("conversion-values-fail", {
      what: `Cannot convert "${match.declared.path}" to ${formatType(change.to)}: ${plural(failureTotal(counts), "value does", "values do")} not convert`,
      why: reasons(counts),
      mend: `${isOtherFormat ? "Say the `format:` of the text (without one: ISO 8601), mend" : "Mend"} the values (${typedCommand("plan --ddl trino", pair.spec.name, pair.spec.environment)} has a query that finds them; spark and athena too), widen the rule (\`trim: true\`, \`empty-as-null: true\`), or accept the loss: \`on-error: set-null\``,
      place: match.declared.convert?.place ?? match.declared.typePlace,
      table: pair.spec.name,
      field: match.declared.path,
    }),
  ];
}

/** `2 impossible dates, 1 empty text`: counts by reason, most first. */
function reasons(counts: PreflightCounts): string {
  return [...counts.failures]
    .filter(([, count]) => count > 0n)
    .sort((a, b) => Number(b[1] - a[1]))
    .map(([reason, count]) => `${formatCount(count)} × ${FAILURE_TEXT[reason]}`)
    .join(", ");
}

function volumeFacts(id: number, pair: TablePair): JsonObject {
  const { evidence } = pair;
  if (evidence === null) return {};
  const field = evidence.fields.get(id);
  return {
    files: field?.files ?? 0,
    "total-files": evidence.dataFiles,
    bytes: field?.sizeBytes === null || field === undefined ? null : String(field.sizeBytes),
    "total-bytes": String(evidence.sizeBytes),
    rows: String(evidence.records),
  };
}

function volumeText(id: number, pair: TablePair): string {
  const { evidence } = pair;
  if (evidence === null) return "size not read";
  const field = evidence.fields.get(id);
  const files = plural(evidence.dataFiles, "file", "files");
  if (field === undefined || field.sizeBytes === null) return `in ${files} of ${formatBytes(evidence.sizeBytes)}`;
  return `${formatBytes(field.sizeBytes)} of ${formatBytes(evidence.sizeBytes)} in ${files}`;
}

function preflightFacts(counts: PreflightCounts | null): JsonObject {
  if (counts === null) return { preflight: "not checked" };
  const texts = (map: ReadonlyMap<string, bigint>): JsonObject =>
    Object.fromEntries([...map].map(([key, count]) => [key, String(count)]));
  return {
    preflight: "checked",
    values: String(counts.values),
    nulls: String(counts.nulls),
    "become-null": String(counts.becomeNull),
    failures: texts(counts.failures),
    losses: texts(counts.losses),
  };
}

function preflightText(counts: PreflightCounts | null): string[] {
  if (counts === null) return ["values not checked"];
  const failed = failureTotal(counts);
  const losses = [...counts.losses]
    .filter(([, count]) => count > 0n)
    .map(([loss, count]) => `${formatCount(count)} lose ${LOSS_TEXT[loss]}`);
  const nulled = counts.becomeNull > 0n ? [`${plural(counts.becomeNull, "value becomes", "values become")} null`] : [];
  return [`${formatCount(failed)} of ${formatCount(counts.values - counts.nulls)} fail`, ...nulled, ...losses];
}
