// Each call of an apply on AWS fails in turn, in every way: the table stays readable by what Glue points to, nothing of
// before is deleted or changed, and a rerun ends in the same state with Glue's list in step (invariants I7 and I8).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "../../src/apply/approval.ts";
import type { Target } from "../../src/apply/table-state.ts";
import { currentFields } from "../blackbox/glue-tables.ts";
import { BREAKS } from "./call-breaks.ts";
import { CONVERSION, CREATION, type GlueWorld, glueWorld, METADATA } from "./glue-world.ts";
import { apply, approvalOf, planOf, rowsOf } from "./support.ts";

const IS_LONG = process.env["FLOEPLAN_LONG"] !== undefined;

const ALL = Object.keys(BREAKS);

/** Without FLOEPLAN_LONG one call is broken, in some of the ways. */
const SOME = [
  "throttled",
  "failed, after its effect",
  "dropped, before its effect",
  "denied",
  "the last, after its effect",
  "silent, after its effect",
];

const KINDS = [
  { title: "in metadata", declaration: METADATA, isNew: false, ways: IS_LONG ? ALL : SOME },
  { title: "that makes the table", declaration: CREATION, isNew: true, ways: IS_LONG ? ALL : SOME },
  {
    title: "with a conversion",
    declaration: CONVERSION,
    isNew: false,
    ways: IS_LONG ? ALL : ["failed, after its effect", "the last, before its effect"],
  },
] as const;

let world: GlueWorld;
let made = 0;

beforeAll(async () => {
  world = await glueWorld();
});
afterAll(async () => await world.lake.stop());

interface State {
  readonly columns: unknown;
  readonly rows: unknown;
  readonly version: number;
  readonly parameters: readonly string[];
}

/** The rows themselves where data moved; else the snapshot that holds them. */
async function stateOf(target: Target, declaration: string): Promise<State> {
  const metadata = world.lake.metadata(target.spec.name);
  return {
    columns: currentFields(metadata),
    rows: declaration === CONVERSION ? await rowsOf({ target }) : (metadata["current-snapshot-id"] ?? null),
    version: metadata["format-version"],
    parameters: Object.keys(world.lake.parameters(target.spec.name))
      .filter((key) => key !== "previous_metadata_location")
      .sort(),
  };
}

const objectsBelow = (name: string): ReadonlyMap<string, Uint8Array> =>
  new Map(
    world.lake.s3.objects
      .keys("acme-lake")
      .filter((key) => key.startsWith(`hr/${name}/`))
      .map((key) => [key, world.lake.s3.objects.get(`s3://acme-lake/${key}`) ?? new Uint8Array()]),
  );

/** What Glue points to is there, and so is all that it names; what was there before is there still, as it was. */
function expectWhole(name: string, before: ReadonlyMap<string, Uint8Array>): void {
  const now = objectsBelow(name);
  for (const [key, bytes] of before) expect(now.get(key) === bytes, `${key} is as it was`).toBe(true);
  if (world.lake.glue.tables.get("hr", name) === undefined) return;
  const metadata = world.lake.metadata(`hr.${name}`);
  for (const { "metadata-file": file } of metadata["metadata-log"])
    expect(world.lake.s3.objects.get(file), file).not.toBeUndefined();
  for (const list of JSON.stringify(metadata).match(/(?<="manifest-list":")[^"]+/g) ?? [])
    expect(world.lake.s3.objects.get(list), list).not.toBeUndefined();
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** What has its effect and no answer is the swap of the pointer; the others are spread over the apply, from its end. */
function sampled(name: string, operations: readonly string[]): number {
  const swap = operations.findLastIndex((operation) => operation === "UpdateTable" || operation === "CreateTable") + 1;
  if (BREAKS[name]?.effect === "after") return swap;
  return operations.length - ((ALL.indexOf(name) * 3) % operations.length);
}

describe.each(KINDS)("an apply $title", ({ declaration, isNew, ways }) => {
  let approval: Approval;
  let wanted: State;
  let operations: readonly string[] = [];
  const fresh = (): Target => world.target(`t${made++}`, declaration, { isNew });

  beforeAll(async () => {
    const target = fresh();
    approval = await approvalOf(target);
    const end = world.record();
    expect((await apply(target, approval)).outcome).toBe("applied");
    operations = end();
    wanted = await stateOf(target, declaration);
  });

  it("makes a number of calls that is known, so that each is tried", () => {
    expect(operations.length).toBeGreaterThan(5);
    expect(operations.length).toBeLessThan(200);
  });

  it.each(ways)("with a call that is %s", { timeout: 600_000 }, async (name) => {
    const one = BREAKS[name];
    if (one === undefined) throw new Error(name);
    for (const call of IS_LONG ? range(operations.length) : [sampled(name, operations)]) {
      const target = fresh();
      // The ids of a new table's steps hold its name.
      const approved = isNew ? await approvalOf(target) : approval;
      const before = objectsBelow(target.spec.identifier.name);
      const heal = world.breakCall(call, one);
      const first = await apply(target, approved).catch((error: unknown) => ({ outcome: "thrown", error }));
      heal();
      expect(first.outcome, `call ${call}: ${String(first.error)}`).not.toBe("thrown");
      expectWhole(target.spec.identifier.name, before);

      const second = await apply(target, approved);
      expect([call, second.outcome, second.error?.message]).toEqual([
        call,
        expect.stringMatching(/^(applied|in-step)$/),
        undefined,
      ]);
      expect(await stateOf(target, declaration), `call ${call}`).toEqual(wanted);
      world.lake.expectListInStep(target.spec.name);
      expectWhole(target.spec.identifier.name, before);
      expect((await planOf(target)).plan.steps, `call ${call}: plan empty`).toEqual([]);
    }
  });
});

describe("a process that is killed", () => {
  it("at any call of the apply leaves a table that the next apply finishes", { timeout: 1_200_000 }, async () => {
    const { lake } = world;
    const quiet = await killedAt(() => false);
    const wanted = await rowsShown(quiet.name);
    const { length: calls } = quiet.operations;
    const kills = IS_LONG
      ? range(calls).flatMap((call) => (["before", "after"] as const).map((effect) => ({ call, effect })))
      : ["PutObject", "UpdateTable"].map((operation) => ({
          call: quiet.operations.lastIndexOf(operation) + 1,
          effect: "after" as const,
        }));
    for (const { call, effect } of kills) {
      const { exit, name, before } = await killedAt((seen) => seen === call, effect);
      expect([call, exit]).toEqual([call, null]);
      expectWhole(name, before);
      const plan = await lake.run("plan", "--out", "plan.json");
      expect([call, plan.exit]).toEqual([call, 0]);
      if (!plan.stdout.includes("No changes")) await lake.said(0, "apply", "--plan", "plan.json");
      expect(await rowsShown(name), `call ${call}`).toEqual(wanted);
      expectWhole(name, before);
      lake.expectListInStep(`hr.${name}`);
      expect(await lake.said(0, "plan", "--exit-code")).toContain("No changes");
    }
  });
});

async function rowsShown(name: string): Promise<unknown> {
  const shown = await world.lake.run("show", `hr.${name}`, "--format", "json", "--rows", "2000");
  return (JSON.parse(shown.stdout) as { readonly rows: unknown }).rows;
}

interface Killed {
  readonly name: string;
  readonly exit: number | null;
  /** Calls of the apply, in order. */
  readonly operations: readonly string[];
  readonly before: ReadonlyMap<string, Uint8Array>;
}

/** The shipped program applies to a fresh table, and is killed at the call that fits. */
async function killedAt(fits: (seen: number) => boolean, effect: "before" | "after" = "before"): Promise<Killed> {
  const { lake } = world;
  const name = `t${made++}`;
  lake.seed("iceberg_employee", name);
  lake.write("tables/one.yaml", CONVERSION.replace("hr.iceberg_employee", `hr.${name}`));
  const before = objectsBelow(name);
  await lake.said(0, "plan", "--out", "plan.json");
  const operations: string[] = [];
  let kill: ((signal: NodeJS.Signals) => void) | null = null;
  const on = ({ operation }: { readonly operation: string }): boolean => {
    operations.push(operation);
    if (!fits(operations.length)) return false;
    kill?.("SIGKILL");
    return true;
  };
  const heal = [lake.glue, lake.s3].map((fake) => fake.fault({ on, answer: "drop", effect, times: Number.MAX_SAFE_INTEGER }));
  const options = {
    onStart: (start: typeof kill): void => {
      kill = start;
    },
  };
  const { exit } = await lake.built(options, "apply", "--plan", "plan.json");
  for (const one of heal) one();
  return { name, exit, operations, before };
}
