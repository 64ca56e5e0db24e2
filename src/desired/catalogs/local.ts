// A local catalog in the project file: a warehouse folder, from the project file's own.
import { resolve } from "node:path";
import type { Place } from "../../diagnostics/diagnostic.ts";
import { type CatalogKind, textAt } from "./catalog-kind.ts";

export interface LocalConfig {
  readonly type: "local";
  /** Absolute. */
  readonly warehouse: string;
  readonly place: Place;
}

export const LOCAL: CatalogKind<LocalConfig> = {
  type: "local",
  placesTables: "A local catalog stores each table under its warehouse",
  read: ({ map, place, root }) => {
    const warehouse = textAt(map, "warehouse");
    return warehouse === null ? null : { type: "local", warehouse: resolve(root, warehouse), place };
  },
};
