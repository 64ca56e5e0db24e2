// Lists that come in pages, read to their end. A service that gives pages without end would be asked without end.
import { ToolError } from "../diagnostics/tool-error.ts";

export interface Page<T> {
  readonly items: readonly T[];
  /** Asks for the page after this; null: it is the last. */
  readonly next: string | null;
}

const MOST_PAGES = 100_000;

/** Null where a page is: what was to be listed is not there. `what` stands in messages. */
export async function allPages<T>(read: (token: string | null) => Promise<Page<T> | null>, what: string): Promise<T[] | null> {
  const items: T[] = [];
  const seen = new Set<string>();
  for (let token: string | null = null; seen.size < MOST_PAGES; ) {
    const page: Page<T> | null = await read(token);
    if (page === null) return null;
    for (const item of page.items) items.push(item);
    if (page.next === null) return items;
    if (seen.has(page.next)) break;
    seen.add(page.next);
    token = page.next;
  }
  throw new ToolError("corrupt", `Cannot list the ${what}`, { why: "The catalog gives the same page again and again" });
}

/** The first of each key, in order. What is listed twice would be asked for twice. */
export function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}
