// Reads members of GitHub's answers and of event files by their kinds. These are data from outside: what must be there
// and is not is a failure of the forge, what may be absent is null. Knows no call.
import { ToolError } from "../diagnostics/tool-error.ts";

/** The member behind the names, or undefined. */
export function memberOf(value: unknown, ...names: readonly string[]): unknown {
  let at = value;
  for (const name of names) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

export function textOrNull(value: unknown, ...names: readonly string[]): string | null {
  const found = memberOf(value, ...names);
  return typeof found === "string" ? found : null;
}

export function textOf(value: unknown, ...names: readonly string[]): string {
  return textOrNull(value, ...names) ?? absent(names, "a text");
}

/** Ids of GitHub are far below 2^53; the reader of JSON gives a bigint where one is not. */
export function numberOrNull(value: unknown, ...names: readonly string[]): number | null {
  const found = memberOf(value, ...names);
  return typeof found === "number" ? found : null;
}

export function numberOf(value: unknown, ...names: readonly string[]): number {
  return numberOrNull(value, ...names) ?? absent(names, "a number");
}

export function flagOf(value: unknown, ...names: readonly string[]): boolean {
  return memberOf(value, ...names) === true;
}

export function listOf(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = memberOf(value, ...names);
  return Array.isArray(found) ? found : absent(names, "a list");
}

function absent(names: readonly string[], kind: string): never {
  throw new ToolError("corrupt", "Cannot read an answer of GitHub", {
    why: names.length === 0 ? `It is not ${kind}` : `It has no "${names.join(".")}", or that is not ${kind}`,
    mend: "Check GITHUB_API_URL: it must be the address of GitHub's REST API",
  });
}
