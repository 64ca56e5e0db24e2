// Every fuzz target with a few inputs, the same each time: no crash beside the two roads, no hang, no wrong acceptance.
// Campaigns with many are `npm run fuzz`, FLOEPLAN_LONG=1 takes some more; what they found is held by tests of the rooms.
import { afterAll, describe, expect, it } from "vitest";
import { IS_LONG } from "../long.ts";
import { judge } from "./judge.ts";
import { randomOf } from "./random.ts";
import { OWN_SEEDS, readSeeds } from "./seeds.ts";
import { ACCEPTED, type FuzzTarget, type OpenTarget } from "./target.ts";
import { TARGETS } from "./targets/index.ts";

const SEED = 20_261_130;
/** Those that take longer get fewer: all together stay below some seconds. */
const INPUTS: Readonly<Record<string, number>> = {
  manifest: 200,
  "manifest-list": 200,
  "plan-json": 300,
  github: 100,
  texts: 300,
};
const FEW_INPUTS = 50;
const PART = IS_LONG ? 1 : 0.4;
/** Other tests run beside these, and first inputs pay for compiling. */
const BOUNDS = { milliseconds: 10_000, takenBytes: 512 * 1024 * 1024 };

const targets = new Map<string, Promise<OpenTarget> | OpenTarget>();

function opened(target: FuzzTarget): Promise<OpenTarget> | OpenTarget {
  const open = targets.get(target.name) ?? target.open(readSeeds(OWN_SEEDS, target.isSeed));
  targets.set(target.name, open);
  return open;
}

const fetchBefore = globalThis.fetch;
afterAll(() => expect(globalThis.fetch).toBe(fetchBefore));

describe("fuzzed input", () => {
  it.each(TARGETS.map((target) => [target.name, target] as const))("does no harm: %s", async (_, target) => {
    const open = await opened(target);
    const outcomes = new Set<string>();
    for (let number = 0; number < PART * (INPUTS[target.name] ?? FEW_INPUTS); number++) {
      const { outcome, finding } = await judge(open, open.make(randomOf(SEED, number)), BOUNDS);
      expect(finding, `${target.name}, seed ${SEED}, input ${number}`).toBeNull();
      outcomes.add(outcome);
    }
    expect(outcomes).toContain(ACCEPTED);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it("is the same for the same seed and number", async () => {
    for (const target of TARGETS) {
      const open = await opened(target);
      expect(open.make(randomOf(1, 7))).toEqual(open.make(randomOf(1, 7)));
    }
  });

  it("is judged: what is thrown beside the two roads is a finding", async () => {
    const make = (): Uint8Array => new Uint8Array();
    const use = (): string => {
      throw new TypeError("a bug");
    };
    expect(await judge({ make, use }, make())).toMatchObject({ outcome: "crashed", finding: expect.stringContaining("a bug") });
  });
});
