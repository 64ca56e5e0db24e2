// Answers of S3 Tables, through the SDK's own client: a table is read, committed to, made and listed, and some answers are
// such as S3 Tables should never give. However a commit ends, what it says of itself is true.
import { S3TablesClient } from "@aws-sdk/client-s3tables";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { createS3TablesCatalog } from "../../../src/catalog/s3-tables-catalog.ts";
import { parseTableBucket } from "../../../src/catalog/s3-tables-names.ts";
import { s3TablesService } from "../../../src/catalog/s3-tables.ts";
import { isWithin, sameLocation } from "../../../src/iceberg/location.ts";
import type { LiveTable } from "../../../src/iceberg/live-table.ts";
import { FAKE_KEYS } from "../../fakes/s3.ts";
import { committed, created, documentOf, type Ends, listed, lookAt, ORDERS, plainCommit } from "../aws/commit-scene.ts";
import { ARN, METADATA, playTables, TABLES, type TablesWorld, tablesWorld } from "../aws/s3-tables-world.ts";
import { s3TablesWords } from "../aws/s3-tables-words.ts";
import { type Exchange, type Exchanges, playService, sdkLine } from "../aws/sdk-handler.ts";
import { NOW_MS, portsOf, storeWith, targetOf } from "../aws/service-target.ts";
import type { WrongAnswer } from "../aws/wrong-answer.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";

interface Stage {
  readonly catalog: Catalog;
  readonly world: TablesWorld;
  readonly exchanges: readonly Exchange[];
}

const GET = "GetTableMetadataLocation";
const SWAP = "UpdateTableMetadataLocation";

const SCENES: Readonly<Record<string, (stage: Stage) => Promise<Outcome>>> = {
  commit: async ({ catalog, world, exchanges }) => {
    const live = await catalog.loadTable(ORDERS);
    if (live === null) return absent(exchanges, GET);
    mustBeAnswered(exchanges, live);
    lookAt(live);
    return await committed(endsOf(world, "orders"), async () => {
      const outcome = await catalog.commit(live, plainCommit(live));
      for (const { operation, sent } of exchanges) if (operation === SWAP) mustName(live, sent);
      return outcome;
    });
  },
  create: async ({ catalog, world }) => await created(catalog, endsOf(world, "fresh"), "fresh"),
  list: async ({ catalog, exchanges }) => await listed(catalog, exchanges, TABLES.length),
  namespace: async ({ catalog, exchanges }) => {
    await catalog.createNamespace(["fresh"]);
    return (await catalog.namespaceExists(["sales"])) ? ACCEPTED : absent(exchanges, "GetNamespace");
  },
};

export const s3Tables: FuzzTarget = {
  name: "s3-tables",
  about: "answers of S3 Tables, through the SDK's client: pointers, pages, commits, errors",
  isSeed: () => false,
  open: async () => await targetOf({ scenes: SCENES, words: s3TablesWords, stageOf }),
};

const line = sdkLine();
/** One for all inputs: a new one reads the configuration of the machine again. */
const client = new S3TablesClient({
  region: "us-east-1",
  endpoint: "http://s3tables.test",
  credentials: FAKE_KEYS,
  maxAttempts: 1,
  requestHandler: line.handler,
});

async function stageOf(wrong: WrongAnswer | null): Promise<{ readonly stage: Stage; readonly service: Exchanges }> {
  const world = tablesWorld();
  const service = playService((request, sent) => playTables(world, request, sent), wrong);
  line.use(service.handler);
  // An answer may have told it another time.
  client.config.systemClockOffset = 0;
  const bucket = parseTableBucket(ARN, "events");
  const ports = portsOf(NOW_MS);
  const catalog = createS3TablesCatalog({
    name: "events",
    bucket,
    service: s3TablesService(client, bucket, { wait: ports.wait, random: () => 0.5 }),
    store: await storeWith(METADATA),
    identity: async () => ({ arn: "arn:aws:iam::011122223333:user/tests", account: "011122223333" }),
    ports,
  });
  return { stage: { catalog, world, exchanges: service.all }, service };
}

function endsOf({ tables }: TablesWorld, name: string): Ends {
  return { pointer: () => tables.get(`sales.${name}`)?.location ?? null };
}

/** Everything is there: only the service's own word that it is not may be believed. */
function absent(exchanges: readonly Exchange[], operation: string): Outcome {
  const isTold = exchanges.some((one) => one.isWrong && (one.answer.status >= 300 || isEmptyTable(one, operation)));
  if (!isTold) throw new WrongAcceptance("What is there counts as absent, and S3 Tables did not say so");
  return refused("absent");
}

/** A table that was made, and has no metadata yet. */
function isEmptyTable({ operation, answer }: Exchange, asked: string): boolean {
  const { versionToken, warehouseLocation, metadataLocation } = documentOf(answer.body);
  const hasNone = metadataLocation === undefined || metadataLocation === null || metadataLocation === "";
  return operation === asked && typeof versionToken === "string" && typeof warehouseLocation === "string" && hasNone;
}

/** It was read as it was answered, and from the storage of the table. */
function mustBeAnswered(exchanges: readonly Exchange[], { metadataLocation, token }: LiveTable): void {
  const answer = documentOf(exchanges.findLast(({ operation }) => operation === GET)?.answer.body);
  if (answer["metadataLocation"] !== metadataLocation || answer["versionToken"] !== token)
    throw new WrongAcceptance(`It was read from ${metadataLocation} with ${token}, and S3 Tables names others`);
  if (typeof answer["warehouseLocation"] !== "string" || !isWithin(answer["warehouseLocation"], metadataLocation))
    throw new WrongAcceptance("The metadata of another table was taken");
}

/** A commit is on condition of the token that was read, and stays in the table's storage. */
function mustName({ token, metadataLocation }: LiveTable, sent: string): void {
  const { versionToken, metadataLocation: next } = documentOf(Buffer.from(sent));
  if (versionToken !== token) throw new WrongAcceptance(`The commit names ${String(versionToken)}, and ${token} was read`);
  if (typeof next !== "string" || sameLocation(next, metadataLocation)) throw new WrongAcceptance("The commit names no new file");
}
