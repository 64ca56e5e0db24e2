// Namespaces of a REST catalog and the tables in them: pages in order, levels down to the last, and a level at a time
// where one is made. Servers that know one level only, or no pages, are taken as they are.
import { formatPath } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { allPages, distinct } from "./all-pages.ts";
import { RestError } from "./rest-error.ts";
import type { RestSession } from "./rest-session.ts";

type Session = () => Promise<RestSession>;
type Namespace = readonly string[];

export async function restNamespaceExists(session: Session, namespace: Namespace): Promise<boolean> {
  const { service } = await session();
  return await service.namespaceExists(namespace);
}

/** Levels above first, where they are missing: some servers make them by themselves, others refuse. */
export async function createRestNamespace(session: Session, namespace: Namespace): Promise<void> {
  const { service, demand } = await session();
  demand(`Cannot create the namespace "${formatPath(namespace)}"`, "createNamespace");
  for (let levels = 1; levels <= namespace.length; levels++) {
    const part = namespace.slice(0, levels);
    if (await service.namespaceExists(part)) continue;
    try {
      await service.createNamespace(part);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      // Another made it first, or an answer was lost.
      if (error.status !== 409 && (error.isCertain || !(await service.namespaceExists(part)))) throw error;
    }
  }
}

/** Tables of all namespaces or of one, sorted; none where there is no such namespace. */
export async function* listRestTables(
  session: Session,
  namespace: Namespace | undefined,
  isNested: boolean,
): AsyncGenerator<TableIdentifier> {
  const { demand } = await session();
  demand("Cannot list tables", ...(namespace === undefined ? (["listNamespaces"] as const) : []), "listTables");
  if (namespace !== undefined) {
    yield* (await tablesOf(session, namespace)).sort(compareIdentifiers);
    return;
  }
  for (const top of (await namespacesIn(session, [])).sort(compareLevels)) {
    const found: TableIdentifier[] = [];
    await gather(session, top, isNested, found);
    yield* found.sort(compareIdentifiers);
  }
}

async function gather(session: Session, namespace: Namespace, isNested: boolean, found: TableIdentifier[]): Promise<void> {
  for (const identifier of await tablesOf(session, namespace)) found.push(identifier);
  if (!isNested) return;
  for (const below of await namespacesIn(session, namespace)) await gather(session, below, isNested, found);
}

async function tablesOf(session: Session, namespace: Namespace): Promise<TableIdentifier[]> {
  const { service } = await session();
  const identifiers = await allPages((page) => service.tables(namespace, page ?? ""), `tables of "${formatPath(namespace)}"`);
  // The namespace is the one that was asked for: some servers leave it out.
  return distinct(identifiers ?? [], ({ name }) => name).map(({ name }) => ({ namespace, name }));
}

/** Those directly below; what else a server gives, such as all of them again, is left out. */
async function namespacesIn(session: Session, parent: Namespace): Promise<Namespace[]> {
  const { service } = await session();
  try {
    const all = await allPages((page) => service.namespaces(parent, page ?? ""), "namespaces");
    const below = (all ?? []).filter(
      (one) => one.length === parent.length + 1 && parent.every((level, index) => one[index] === level),
    );
    return distinct(below, (one) => JSON.stringify(one));
  } catch (error) {
    if (parent.length > 0 && error instanceof RestError && isOneLevelOnly(error)) return [];
    throw error;
  }
}

/** Said by servers of one level to a question for what is below. */
function isOneLevelOnly({ status }: RestError): boolean {
  return status === 400 || status === 405 || status === 406 || status === 501;
}

function compareIdentifiers(a: TableIdentifier, b: TableIdentifier): number {
  return compareLevels([...a.namespace, a.name], [...b.namespace, b.name]);
}

function compareLevels(a: Namespace, b: Namespace): number {
  for (let level = 0; level < Math.min(a.length, b.length); level++) {
    const [left, right] = [a[level] ?? "", b[level] ?? ""];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
