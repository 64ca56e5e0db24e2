// The DDL that a person would type, for the notes of a plan. The only place in plan/ that quotes identifiers
// and text (I6: no text from outside ever forms SQL). Nothing here is ever executed.
import type { TablePair } from "./table-pair.ts";
import { splitPath } from "./split-path.ts";
import type { StepSql } from "./plan.ts";

export interface DdlNames {
  /** `ns.t` quoted for Spark and Athena's DDL (backticks). */
  readonly hive: string;
  /** `"ns"."t"` quoted for Trino. */
  readonly trino: string;
}

function ddlNames(pair: TablePair): DdlNames {
  const parts = [...pair.spec.identifier.namespace, pair.spec.identifier.name];
  return { hive: parts.map(quoteHive).join("."), trino: parts.map(quoteTrino).join(".") };
}

/** Hive quoting of Spark SQL and Athena DDL: backticks, doubled inside. */
export function quoteHive(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

export function quoteTrino(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal. Spark reads backslashes as escapes, so they are doubled there. */
export function literalSpark(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

export function literalTrino(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function pathHive(path: string): string {
  return splitPath(path).map(quoteHive).join(".");
}

export function pathTrino(path: string): string {
  return splitPath(path).map(quoteTrino).join(".");
}

export function isTopLevel(path: string): boolean {
  return splitPath(path).length === 1;
}

/** One statement an engine from a function of its names; null where `make` gives null. */
export function ddl(pair: TablePair, make: (names: DdlNames) => StepSql): StepSql {
  return make(ddlNames(pair));
}
