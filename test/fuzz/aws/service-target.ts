// What the targets that play a service have in common: right answers of every scene are what wrong ones are made from, and
// an input plays its scene with the wrong answer in it. Knows no service.
import type { CatalogPorts } from "../../../src/catalog/metadata-pointer.ts";
import { createMemoryStore } from "../../../src/storage/memory.ts";
import type { ObjectStore } from "../../../src/storage/object-store.ts";
import { ACCEPTED, type OpenTarget, type Outcome, refused } from "../target.ts";
import { ended } from "./commit-scene.ts";
import type { Exchanges } from "./sdk-handler.ts";
import { makeWrong, readWrong, type Seed, seedOf, type Words, type WrongAnswer } from "./wrong-answer.ts";

export const NOW_MS = 1_900_000_000_000;

export interface ServiceTarget<Stage> {
  readonly scenes: Readonly<Record<string, (stage: Stage) => Promise<Outcome>>>;
  readonly words: Words;
  readonly stageOf: (wrong: WrongAnswer | null) => Promise<{ readonly stage: Stage; readonly service: Exchanges }>;
}

export async function targetOf<Stage>({ scenes, words, stageOf }: ServiceTarget<Stage>): Promise<OpenTarget> {
  const seeds: Seed[] = [];
  for (const [scene, play] of Object.entries(scenes)) {
    const { stage, service } = await stageOf(null);
    const outcome = await play(stage);
    if (outcome !== ACCEPTED) throw new Error(`Answered right, ${scene} ends as ${outcome}`);
    seeds.push(...seedsOf(scene, service));
  }
  return {
    make: (random) => makeWrong(seeds, words, random),
    use: async (input) => {
      const wrong = readWrong(input);
      const play = scenes[wrong.scene];
      if (play === undefined) return refused("no scene");
      const { stage, service } = await stageOf(wrong);
      const outcome = await ended(async () => await play(stage));
      service.mustEnd();
      return outcome;
    },
  };
}

function seedsOf(scene: string, { all }: Exchanges): readonly Seed[] {
  const counts = new Map<string, number>();
  return all.map(({ operation, answer }) => {
    const index = counts.get(operation) ?? 0;
    counts.set(operation, index + 1);
    return seedOf({ scene, operation, index, headers: answer.headers, text: Buffer.from(answer.body).toString("utf8") });
  });
}

export async function storeWith(objects: ReadonlyMap<string, Uint8Array>): Promise<ObjectStore> {
  const store = createMemoryStore();
  for (const [location, bytes] of objects) await store.replace(location, bytes);
  return store;
}

/** The same ids each time, and nothing is waited for. */
export function portsOf(nowMs: number): CatalogPorts {
  let uuids = 0;
  return {
    nowMs: () => nowMs,
    newUuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, "0")}`,
    wait: async () => {},
  };
}
