// Each call of an apply fails in turn, in every way, on a catalog played over HTTP: the table stays readable by what the
// catalog says, nothing of before is deleted or changed, and a rerun ends in the same state (invariants I7 and I8).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "../../src/apply/approval.ts";
import type { Target } from "../../src/apply/table-state.ts";
import { DEFAULT_POLICY } from "../../src/desired/project-config.ts";
import { mapsOf, textOf } from "../fakes/rest-json.ts";
import { specOf } from "../plan/support.ts";
import { BREAKS, breakCall, recordCalls } from "./call-breaks.ts";
import type { CallWorld } from "./call-worlds.ts";
import { CONVERSION, CREATION, METADATA } from "./glue-world.ts";
import { apply, approvalOf, planOf, rowsOf } from "./support.ts";

const IS_LONG = process.env["FLOEPLAN_LONG"] !== undefined;

const ALL = Object.keys(BREAKS);

/** Without FLOEPLAN_LONG one call is broken, in some of the ways. */
const SOME = [
  "throttled",
  "failed, after its effect",
  "dropped, before its effect",
  "denied",
  "the last, before its effect",
  "the last, after its effect",
  "silent, after its effect",
];

const KINDS = [
  { title: "in metadata", declaration: METADATA.replace(/^glue:.*\n/m, ""), isNew: false, ways: SOME },
  { title: "that makes the table", declaration: CREATION, isNew: true, ways: SOME },
  {
    title: "with a conversion",
    declaration: CONVERSION,
    isNew: false,
    ways: ["failed, after its effect", "the last, before its effect"],
  },
] as const;

export function callFaults(title: string, start: () => Promise<CallWorld>): void {
  let world: CallWorld;
  let made = 0;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(async () => await world.stop());

  const fresh = async (declaration: string, isNew: boolean): Promise<Target> => {
    const name = `t${made++}`;
    if (!isNew) await world.seed(name);
    const identifier = { namespace: ["hr"], name };
    const spec = { ...specOf(declaration), name: `hr.${name}`, identifier };
    return { spec, policy: DEFAULT_POLICY, catalog: world.catalog };
  };

  /** The rows themselves where data moved; else the snapshot that holds them. */
  const stateOf = async (target: Target, declaration: string): Promise<unknown> => {
    const metadata = world.metadata(target.spec.identifier.name);
    if (metadata === null) return null;
    return {
      schema: mapsOf(metadata["schemas"]).find((one) => one["schema-id"] === metadata["current-schema-id"])?.["fields"],
      rows: declaration === CONVERSION ? await rowsOf({ target }) : (metadata["current-snapshot-id"] ?? null),
      version: metadata["format-version"],
      spec: metadata["partition-specs"],
      properties: Object.keys(metadata["properties"] ?? {}).sort(),
    };
  };

  const objectsOf = (name: string): ReadonlyMap<string, Uint8Array> =>
    new Map(world.objects(name).map((location) => [location, world.s3.objects.get(location) ?? new Uint8Array()]));

  /** What the catalog points to is there, and so is all that it names; what was there before is there still, as it was. */
  const expectWhole = (name: string, before: ReadonlyMap<string, Uint8Array>): void => {
    const { s3 } = world;
    for (const [location, bytes] of before) expect(s3.objects.get(location) === bytes, `${location} is as it was`).toBe(true);
    const metadata = world.metadata(name);
    if (metadata === null) return;
    const named = [
      ...mapsOf(metadata["metadata-log"]).map((one) => textOf(one["metadata-file"] ?? null)),
      ...mapsOf(metadata["snapshots"]).map((one) => textOf(one["manifest-list"] ?? null)),
    ];
    for (const location of named) expect(s3.objects.get(location), location).toBeDefined();
  };

  /** What is broken in the swap of the state, where most hangs on it; the others are spread over the apply, from its end. */
  const sampled = (way: string, operations: readonly string[]): number => {
    const swap = operations.findLastIndex((operation) => world.swaps.includes(operation)) + 1;
    if (BREAKS[way]?.effect === "after" || BREAKS[way]?.forGood === true) return swap;
    return operations.length - ((ALL.indexOf(way) * 3) % operations.length);
  };

  describe.each(KINDS)(`an apply on ${title} $title`, ({ declaration, isNew, ways }) => {
    let approval: Approval;
    let wanted: unknown;
    let operations: readonly string[] = [];

    beforeAll(async () => {
      const target = await fresh(declaration, isNew);
      approval = await approvalOf(target);
      const end = recordCalls(world.services);
      expect((await apply(target, approval)).outcome).toBe("applied");
      operations = end();
      wanted = await stateOf(target, declaration);
    }, 60_000);

    it("makes a number of calls that is known, so that each is tried", () => {
      expect(wanted).not.toBeNull();
      expect(operations.length).toBeGreaterThan(5);
      expect(operations.length).toBeLessThan(200);
      expect(operations.some((operation) => world.swaps.includes(operation))).toBe(true);
    });

    it.each(IS_LONG ? ALL : ways)("with a call that is %s", { timeout: 600_000 }, async (way) => {
      const one = BREAKS[way];
      if (one === undefined) throw new Error(way);
      const calls = IS_LONG ? operations.map((_, index) => index + 1) : [sampled(way, operations)];
      for (const call of calls) {
        const target = await fresh(declaration, isNew);
        const { name } = target.spec.identifier;
        // The ids of a new table's steps hold its name.
        const approved = isNew ? await approvalOf(target) : approval;
        const before = objectsOf(name);
        const heal = breakCall(world.services, call, one);
        const first = await apply(target, approved).catch((error: unknown) => ({ outcome: "thrown", error }));
        heal();
        expect(first.outcome, `call ${call}: ${String(first.error)}`).not.toBe("thrown");
        expectWhole(name, before);

        const second = await apply(target, approved);
        expect([call, second.outcome, second.error?.message]).toEqual([
          call,
          expect.stringMatching(/^(applied|in-step)$/),
          undefined,
        ]);
        expect(await stateOf(target, declaration), `call ${call}`).toEqual(wanted);
        expectWhole(name, before);
        expect((await planOf(target)).plan.steps, `call ${call}: plan empty`).toEqual([]);
      }
    });
  });
}
