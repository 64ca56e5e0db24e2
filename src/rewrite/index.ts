// The list of rewrite engines.
import { embeddedEngine } from "./embedded.ts";
import type { RewriteEngine } from "./rewrite-engine.ts";

export const ENGINES: readonly RewriteEngine[] = [embeddedEngine];

/** The engine of this version: small and large tables alike until another one is listed. */
export function chooseEngine(): RewriteEngine {
  return embeddedEngine;
}
