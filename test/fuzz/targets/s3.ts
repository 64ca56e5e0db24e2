// Answers of S3, through the SDK's own client: objects are read, looked at, written where nothing is, overwritten, listed
// and removed, and some answers are such as S3 should never give. What the store says of an object is true.
import { S3Client } from "@aws-sdk/client-s3";
import type { ObjectStore } from "../../../src/storage/object-store.ts";
import { regionalCalls } from "../../../src/storage/s3-clients.ts";
import { createStoreOver } from "../../../src/storage/s3-store.ts";
import { s3CallsThrough } from "../../../src/storage/s3.ts";
import { FAKE_KEYS } from "../../fakes/s3.ts";
import { playS3, type S3World, s3World } from "../aws/s3-world.ts";
import { s3Words } from "../aws/s3-words.ts";
import { type Exchange, type Exchanges, playService, sdkLine } from "../aws/sdk-handler.ts";
import { targetOf } from "../aws/service-target.ts";
import type { WrongAnswer } from "../aws/wrong-answer.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";

interface Stage {
  readonly store: ObjectStore;
  readonly world: S3World;
  readonly exchanges: readonly Exchange[];
}

const AT = "s3://data/t/";
const KEYS = ["t/a", "t/b", "t/c", "u/d"];
const BYTES = new TextEncoder().encode("new bytes");

const SCENES: Readonly<Record<string, (stage: Stage) => Promise<Outcome>>> = {
  read: async ({ store, world, exchanges }) => {
    const bytes = await store.read(`${AT}a`);
    mustBe(bytes, [bytesAt(world, "t/a"), ...wrongBodies(exchanges)]);
    return ACCEPTED;
  },
  range: async ({ store, world, exchanges }) => {
    const bytes = await store.readRange(`${AT}a`, 3, 7);
    mustBe(bytes, [bytesAt(world, "t/a").subarray(3, 10), ...wrongBodies(exchanges).filter(({ length }) => length === 7)]);
    return ACCEPTED;
  },
  look: async ({ store }) => {
    const found = await store.head(`${AT}a`);
    return found === null ? refused("absent") : sized(found.sizeBytes);
  },
  put: async ({ store, world, exchanges }) => {
    const result = await store.putIfAbsent(`${AT}new`, BYTES);
    if (hasLied(exchanges, "PutObject")) return ACCEPTED;
    if (result === "written") mustBe(bytesAt(world, "t/new"), [BYTES]);
    const isOurs =
      result === "exists" && world.has("t/new") && exchanges.every((one) => !one.isWrong || one.operation === "PutObject");
    if (isOurs) throw new WrongAcceptance("Our own object is taken for another's");
    return result === "written" ? ACCEPTED : refused(result);
  },
  taken: async ({ store, world, exchanges }) => {
    const before = bytesAt(world, "t/a");
    const result = await store.putIfAbsent(`${AT}a`, BYTES);
    if (exchanges.some((one) => one.operation === "PutObject" && one.isWrong && one.answer.status < 300)) return ACCEPTED;
    if (result === "written" || bytesAt(world, "t/a") !== before)
      throw new WrongAcceptance("The object of another was overwritten");
    return ACCEPTED;
  },
  replace: async ({ store, world, exchanges }) => {
    await store.replace(`${AT}a`, BYTES);
    if (!hasLied(exchanges, "PutObject")) mustBe(bytesAt(world, "t/a"), [BYTES]);
    return ACCEPTED;
  },
  list: async ({ store, exchanges }) => {
    let count = 0;
    for await (const { location, sizeBytes } of store.list(AT)) {
      if (!location.startsWith(AT)) throw new WrongAcceptance(`${location} is listed, which is not below ${AT}`);
      sized(sizeBytes);
      count++;
    }
    if (count !== 3 && exchanges.every(({ isWrong }) => !isWrong)) throw new WrongAcceptance("Objects are missing in the list");
    return ACCEPTED;
  },
  remove: async ({ store, world, exchanges }) => {
    await store.remove(`${AT}a`);
    if (world.has("t/a") && !hasLied(exchanges, "DeleteObject")) throw new WrongAcceptance("It is removed, and still there");
    return ACCEPTED;
  },
};

export const s3: FuzzTarget = {
  name: "s3",
  about: "answers of S3, through the SDK's client: objects, ranges, conditions, lists, errors",
  isSeed: () => false,
  open: async () => await targetOf({ scenes: SCENES, words: s3Words, stageOf }),
};

const line = sdkLine();
const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };
/** One for all inputs: a new one reads the configuration of the machine again. */
const client = new S3Client({
  region: "us-east-1",
  endpoint: "http://s3.test",
  credentials: FAKE_KEYS,
  forcePathStyle: true,
  maxAttempts: 1,
  requestHandler: line.handler,
});

async function stageOf(wrong: WrongAnswer | null): Promise<{ readonly stage: Stage; readonly service: Exchanges }> {
  const world = s3World(KEYS);
  const service = playService((request) => playS3(world, request), wrong);
  line.use(service.handler);
  // An answer may have told it another time.
  client.config.systemClockOffset = 0;
  const run = regionalCalls(() => client);
  const store = createStoreOver(s3CallsThrough(run), { ports: NO_PAUSES });
  return { stage: { store, world, exchanges: service.all }, service };
}

function bytesAt(world: S3World, key: string): Uint8Array {
  const found = world.get(key);
  if (found === undefined) throw new WrongAcceptance(`${key} is not there`);
  return found.bytes;
}

function wrongBodies(exchanges: readonly Exchange[]): readonly Uint8Array[] {
  return exchanges.filter(({ isWrong }) => isWrong).map(({ answer }) => answer.body);
}

function mustBe(bytes: Uint8Array, wanted: readonly Uint8Array[]): void {
  if (!wanted.some((one) => Buffer.compare(one, bytes) === 0)) throw new WrongAcceptance("The bytes are none that were answered");
}

function sized(sizeBytes: number): Outcome {
  if (Number.isSafeInteger(sizeBytes) && sizeBytes >= 0) return ACCEPTED;
  throw new WrongAcceptance(`An object has ${sizeBytes} bytes`);
}

/** S3 said that it was done, and did not do it. */
function hasLied(exchanges: readonly Exchange[], operation: string): boolean {
  return exchanges.some((one) => one.operation === operation && one.isWrong && !one.hasEffect && one.answer.status < 300);
}
