// The project file `floeplan.yaml` as data. Read by load-project.ts; the plan sees only what it needs of it
// (PlanPolicy). Secrets are never in it: they come from the environment.
import type { Place } from "../diagnostics/diagnostic.ts";
import type { CatalogConfig } from "./catalogs/index.ts";

export interface Policy {
  readonly mode: "apply" | "observe";
  /** `action-only`: the CLI's apply is refused in this environment. */
  readonly apply: "anywhere" | "action-only";
  readonly columnOrder: "declared" | "append";
  /** Bytes of converted columns; null: no limit. */
  readonly maxRewriteBytes: number | null;
  readonly gateBelowRows: number;
  readonly snapshotTag: "keep" | "none";
  readonly approve: { readonly by: readonly string[]; readonly count: number } | null;
}

export const DEFAULT_POLICY: Policy = {
  mode: "apply",
  apply: "anywhere",
  columnOrder: "declared",
  maxRewriteBytes: null,
  gateBelowRows: 0,
  snapshotTag: "keep",
  approve: null,
};

export interface EnvironmentConfig {
  readonly name: string;
  readonly catalogs: ReadonlyMap<string, CatalogConfig>;
  /** Template with `{namespace}`; null: the declared namespace as it is. */
  readonly namespace: string | null;
  /** Template with `{namespace}` and `{table}`; null: the catalog chooses. */
  readonly location: string | null;
  readonly allowedLocations: readonly string[];
  readonly policy: Policy;
}

export type LintLevel = "off" | "note" | "warning" | "error";

export interface LintSetting {
  readonly level: LintLevel;
  readonly options: Readonly<Record<string, unknown>>;
  /** The rule's name in the project file. */
  readonly place: Place;
  /** Spots of the option keys. */
  readonly optionPlaces: ReadonlyMap<string, Place>;
}

export interface ProjectConfig {
  /** Folder of the project file, absolute. */
  readonly root: string;
  /** The project file, relative to `root`. */
  readonly file: string;
  readonly project: string | null;
  readonly tables: readonly string[];
  readonly shared: readonly string[];
  readonly engines: readonly string[];
  readonly defaultCatalog: string | null;
  readonly defaults: { readonly formatVersion: number; readonly properties: ReadonlyMap<string, string> };
  /** In promotion order. */
  readonly environments: readonly EnvironmentConfig[];
  readonly lint: ReadonlyMap<string, LintSetting>;
  readonly remember: boolean;
}
