// The list of rewrite engines.
import { embeddedEngine } from "./embedded.ts";
import type { RewriteEngine } from "./rewrite-engine.ts";

const ENGINES: readonly [RewriteEngine, ...RewriteEngine[]] = [embeddedEngine];

/** The first of the list: it serves tables of every size until there is a choice. */
export function chooseEngine(): RewriteEngine {
  return ENGINES[0];
}
