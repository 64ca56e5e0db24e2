// What a kind of catalog is to the project file: its word in `type:`, how its keys are read, and whether tables may ask
// for a place of their own. What a catalog does with its settings is its own business.
import type { Place } from "../../diagnostics/diagnostic.ts";
import { type Reading, textOf } from "../reading.ts";
import { findValue, type MapNode } from "../yaml/tree.ts";

export interface CatalogText {
  readonly reading: Reading;
  readonly map: MapNode;
  readonly place: Place;
  /** The folder of the project file, absolute. */
  readonly root: string;
}

export interface CatalogKind<Config extends { readonly type: string; readonly place: Place }> {
  readonly type: Config["type"];
  /** Why tables cannot choose their location; null where they can. */
  readonly placesTables: string | null;
  /** Null where it cannot be read; the schema's findings tell why. */
  read(text: CatalogText): Config | null;
}

export function textAt(map: MapNode, key: string): string | null {
  return textOf(findValue(map, key)) ?? null;
}
