// What can be tried of a catalog without changing anything: opening it, who we are there, listing, and one declared
// table from its entry to a data file. What only writing needs is told and not tried.
import type { Catalog } from "../catalog/catalog.ts";
import { liveFiles } from "../catalog/evidence-manifests.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { joinLocation } from "../iceberg/location.ts";
import { metadataFolder } from "../iceberg/metadata-file.ts";
import type { Check, CheckResult } from "../report/doctor-report.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { orError } from "./or-error.ts";

/** Declared tables that are looked for until one is there. */
const TABLES_LOOKED_FOR = 5;

export interface CatalogToCheck {
  /** Its name in the project file. */
  readonly name: string;
  readonly open: () => Promise<Catalog>;
  /** Tables of it that the environment declares. */
  readonly tables: readonly TableSpec[];
  readonly newId: () => string;
}

export async function checkCatalog(asked: CatalogToCheck): Promise<readonly Check[]> {
  const opened = await orError(asked.open);
  if (opened instanceof ToolError) return [{ subject: asked.name, what: "open", result: failed(opened) }];
  const checks: Check[] = [];
  const tell = (what: string, result: CheckResult): void => void checks.push({ subject: opened.label, what, result });
  tell("open", { state: "ok", found: "yes" });
  await checkReading(opened, asked, tell);
  const identity = await identityResult(
    opened,
    checks.some(({ what, result }) => what !== "open" && result.state === "ok"),
  );
  checks.splice(1, 0, { subject: opened.label, what: "credentials", result: identity });
  for (const permission of opened.writePermissions ?? []) {
    tell(permission, { state: "not-tried", why: "only apply needs it, and nothing that reads can try it" });
  }
  return checks;
}

type Tell = (what: string, result: CheckResult) => void;

async function checkReading(catalog: Catalog, { tables, newId }: CatalogToCheck, tell: Tell): Promise<void> {
  tell(
    "list namespaces and tables",
    await result(async () => {
      for await (const { namespace, name } of catalog.listTables()) return `the first is ${formatPath([...namespace, name])}`;
      return "there are no tables yet";
    }),
  );
  const [first] = tables;
  if (first === undefined) return tell("read a table", { state: "not-tried", why: "no table of this catalog is declared" });
  const { namespace } = first.identifier;
  tell(
    `look for the namespace ${formatPath(namespace)}`,
    await result(async () => ((await catalog.namespaceExists(namespace)) ? "it is there" : "it is not there yet")),
  );
  const live = await firstTable(catalog, tables.slice(0, TABLES_LOOKED_FOR), tell);
  if (live === null) return;
  const store = catalog.storeFor(live);
  const file = await orError(async () => await firstFile(store, live));
  if (file instanceof ToolError) {
    tell("read its manifests", failed(file));
    tell("read a data file", { state: "not-tried", why: "only manifests name them" });
  } else {
    tell(
      "read its manifests",
      file === null ? { state: "not-tried", why: "it has no data yet" } : { state: "ok", found: "read" },
    );
    if (file !== null) tell("read a data file", await result(async () => await firstBytes(store, file)));
  }
  const nothing = joinLocation(metadataFolder(live.metadata), `floeplan-doctor-${newId()}`);
  tell(
    "tell a missing file from a denied one",
    store.canList
      ? await result(async () => ((await store.head(nothing)) === null ? "yes" : "a file of a random name is there"))
      : { state: "not-tried", why: "this store lists nothing" },
  );
}

async function firstFile(store: ObjectStore, { metadata }: LiveTable): Promise<string | null> {
  if (metadata.currentSnapshotId === null) return null;
  for await (const { entry } of liveFiles(store, metadata, metadata.currentSnapshotId)) return entry.dataFile.filePath;
  return null;
}

async function firstBytes(store: ObjectStore, file: string): Promise<string> {
  await store.readRange(file, 0, 4);
  return "read";
}

/** Names that are not there yet are passed over: a first apply makes them. */
async function firstTable(catalog: Catalog, tables: readonly TableSpec[], tell: Tell): Promise<LiveTable | null> {
  for (const { name, identifier } of tables) {
    const live = await orError(async () => await catalog.loadTable(identifier));
    if (live === null) continue;
    const what = `read the entry and the metadata of ${name}`;
    if (live instanceof ToolError) {
      tell(what, failed(live));
      return null;
    }
    tell(what, { state: "ok", found: live.metadataLocation });
    return live;
  }
  const names = tables.map(({ name }) => name).join(", ");
  tell("read a table", { state: "not-tried", why: `not there yet: ${names}` });
  return null;
}

/** Credentials of another account are right where the account of the tables lets them in, and the likely cause where nothing answers. */
async function identityResult(catalog: Catalog, isLetIn: boolean): Promise<CheckResult> {
  const asked = catalog.identity?.();
  if (asked === undefined) return { state: "not-tried", why: "this catalog does not tell who it is asked by" };
  return await result(async () => {
    const { who, account, tablesAccount } = await asked;
    if (tablesAccount === null) return `${who}; the project file names no account, so tables of ${account} are meant`;
    if (tablesAccount === account) return `${who}, of the account ${account} as declared`;
    if (isLetIn) return `${who}, of the account ${account}, let in by ${tablesAccount}`;
    throw new ToolError("config", "The credentials are of another account than the tables", {
      why: `They are of ${who}; the project file says account ${tablesAccount}, and nothing could be read there`,
      mend: `Take a role of account ${tablesAccount}, or correct \`account:\` (for S3 Tables \`bucket:\`) of the catalog`,
    });
  });
}

async function result(tryIt: () => Promise<string>): Promise<CheckResult> {
  const found = await orError(tryIt);
  return found instanceof ToolError ? failed(found) : { state: "ok", found };
}

function failed(error: ToolError): CheckResult {
  return { state: "failed", error };
}
