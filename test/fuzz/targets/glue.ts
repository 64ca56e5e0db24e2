// Answers of Glue, through the SDK's own client: a table is read, committed to, made, listed and read ahead, and some
// answers are such as no Glue should give. However a commit ends, what it says of itself is true.
import { GlueClient } from "@aws-sdk/client-glue";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { createGlueCatalog } from "../../../src/catalog/glue-catalog.ts";
import { glueService } from "../../../src/catalog/glue.ts";
import { FAKE_KEYS } from "../../fakes/s3.ts";
import { committed, created, documentOf, type Ends, listed, lookAt, objectIn, ORDERS, plainCommit } from "../aws/commit-scene.ts";
import { ACCOUNT, type GlueWorld, glueWorld, METADATA, playGlue, pointerOf, TABLES } from "../aws/glue-world.ts";
import { glueWords } from "../aws/glue-words.ts";
import { type Exchange, type Exchanges, playService, sdkLine } from "../aws/sdk-handler.ts";
import { NOW_MS, portsOf, storeWith, targetOf } from "../aws/service-target.ts";
import type { WrongAnswer } from "../aws/wrong-answer.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";

type Scene = (stage: Stage) => Promise<Outcome>;

interface Stage {
  readonly catalog: Catalog;
  readonly world: GlueWorld;
  readonly exchanges: readonly Exchange[];
}

const SCENES: Readonly<Record<string, Scene>> = {
  commit: async ({ catalog, world, exchanges }) => {
    const live = await catalog.loadTable(ORDERS);
    if (live === null) return absent(exchanges, "GetTable");
    const read = lastEntry(exchanges);
    mustBeAnswered(read, live.metadataLocation);
    lookAt(live);
    return await committed(endsOf(world, "orders"), async () => {
      const outcome = await catalog.commit(live, plainCommit(live));
      for (const { operation, sent } of exchanges) if (operation === "UpdateTable") mustCarry(read, sent);
      return outcome;
    });
  },
  create: async ({ catalog, world }) => await created(catalog, endsOf(world, "fresh"), "fresh"),
  list: async ({ catalog, exchanges }) => await listed(catalog, exchanges, TABLES.length),
  ahead: async ({ catalog, exchanges }) => {
    const identifiers = TABLES.map((name) => ({ namespace: ["sales"], name }));
    catalog.prefetch?.(identifiers);
    for (const identifier of identifiers) {
      const live = await catalog.loadTable(identifier);
      if (live === null) return absent(exchanges, "GetTables");
      lookAt(live);
    }
    return ACCEPTED;
  },
  namespace: async ({ catalog, exchanges }) => {
    await catalog.createNamespace(["fresh"]);
    return (await catalog.namespaceExists(["sales"])) ? ACCEPTED : absent(exchanges, "GetDatabase");
  },
};

export const glue: FuzzTarget = {
  name: "glue",
  about: "answers of Glue, through the SDK's client: tables, pages, commits, errors",
  isSeed: () => false,
  open: async () => await targetOf({ scenes: SCENES, words: glueWords, stageOf }),
};

const line = sdkLine();
/** One for all inputs: a new one reads the configuration of the machine again. */
const client = new GlueClient({
  region: "us-east-1",
  endpoint: "http://glue.test",
  credentials: FAKE_KEYS,
  maxAttempts: 1,
  requestHandler: line.handler,
});

async function stageOf(wrong: WrongAnswer | null): Promise<{ readonly stage: Stage; readonly service: Exchanges }> {
  const world = glueWorld();
  const service = playService((request, sent) => playGlue(world, request, sent), wrong);
  const store = await storeWith(METADATA);
  line.use(service.handler);
  // An answer may have told it another time.
  client.config.systemClockOffset = 0;
  const ports = portsOf(NOW_MS);
  const catalog = createGlueCatalog({
    name: "lake",
    region: "us-east-1",
    account: ACCOUNT,
    service: glueService(client, ACCOUNT, { wait: ports.wait, random: () => 0.5 }),
    openStore: () => store,
    identity: async () => ({ arn: `arn:aws:iam::${ACCOUNT}:user/tests`, account: ACCOUNT }),
    ports,
  });
  return { stage: { catalog, world, exchanges: service.all }, service };
}

function endsOf(world: GlueWorld, name: string): Ends {
  return { pointer: () => pointerOf(world, name) };
}

/** Everything is there: only Glue's own word that it is not may be believed. */
function absent(exchanges: readonly Exchange[], operation: string): Outcome {
  const isTold = exchanges.some(({ isWrong, answer }) => isWrong && answer.status >= 300);
  if (!isTold && !exchanges.some((one) => one.operation === operation && one.isWrong && listsWithout(one)))
    throw new WrongAcceptance("What is there counts as absent, and Glue did not say so");
  return refused("absent");
}

/** A page that is one, and the last. */
function listsWithout({ answer }: Exchange): boolean {
  const page = documentOf(answer.body);
  return Array.isArray(page["TableList"]);
}

type Entry = Readonly<Record<string, unknown>>;

function lastEntry(exchanges: readonly Exchange[]): Entry {
  return objectIn(documentOf(exchanges.findLast(({ operation }) => operation === "GetTable")?.answer.body), "Table");
}

/** The entry that was read is the one that was asked for, and is read as it was answered. */
function mustBeAnswered(entry: Entry, location: string): void {
  const { metadata_location: named } = objectIn(entry, "Parameters");
  if (named !== location) throw new WrongAcceptance(`It was read from ${location}, and Glue names ${String(named)}`);
  const strange = Object.entries({ Name: "orders", DatabaseName: "sales", CatalogId: ACCOUNT }).find(([member, wanted]) => {
    const value = entry[member];
    return value !== undefined && value !== null && (typeof value !== "string" || value.toLowerCase() !== wanted);
  });
  if (strange !== undefined) throw new WrongAcceptance(`The entry of another table was taken: its ${strange[0]} is another`);
}

/** What is sent back is the entry that was read, under its own name and version, with the parameters of others. */
function mustCarry(entry: Entry, sent: string): void {
  const request = documentOf(Buffer.from(sent));
  const input = objectIn(request, "TableInput");
  if (input["Name"] !== "orders" || request["DatabaseName"] !== "sales" || request["CatalogId"] !== ACCOUNT)
    throw new WrongAcceptance("Another table was written");
  if (request["VersionId"] === undefined || request["VersionId"] !== entry["VersionId"])
    throw new WrongAcceptance("A commit was sent on another version than was read");
  const after = objectIn(input, "Parameters");
  for (const [key, value] of Object.entries(objectIn(entry, "Parameters"))) {
    const isOurs = ["table_type", "metadata_location", "previous_metadata_location"].includes(key);
    if (!isOurs && after[key] !== value) throw new WrongAcceptance(`The parameter ${key} was lost`);
  }
}
