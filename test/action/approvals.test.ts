// Pull requests, merges, pushes past them, foreign commits and applies of old and new commits, in any order, by the safe and
// the gated job: what is never allowed to happen to a table, whatever the order. The real rules (approvals, second lock,
// the check of a table's apply) over small fakes of forge and table.
import fc from "fast-check";
import { expect, it } from "vitest";
import { NOTHING_APPROVED, unapprovedSteps } from "../../src/apply/approval.ts";
import { type Judge, judge } from "../../src/action/approvals.ts";
import { openSecondLock, type SecondLock } from "../../src/action/second-lock.ts";
import type { ContextWithForge } from "../../src/action/context.ts";
import type { Recorded } from "../../src/action/records.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/desired/project-config.ts";
import { done } from "../../src/forge/forge-answer.ts";
import type { PullRequest, Review } from "../../src/forge/forge-pull-request.ts";
import { EFFECTS, type Effect, type Step, type TablePlan, touchesValues } from "../../src/plan/plan.ts";
import { ID, step, tablePlan } from "../report/plans.ts";

const TABLE = "sales.orders";
const TEXT: Step["text"] = { symbol: "~", subject: "x", change: "", detail: "" };
const POLICY: Policy = { ...DEFAULT_POLICY, approve: { by: ["@bob"], count: 1 } };

/** A step of the world: one id for each thing that can be asked for; a foreign commit may undo it, or make it hurt. */
interface Thing {
  readonly id: string;
  effect: Effect;
}

interface Merge {
  readonly commit: number;
  readonly recorded: ReadonlyMap<string, Effect> | null;
  readonly isReviewed: boolean;
  readonly number: number;
}

/** Commits are numbers along one branch; a table is the set of things that were done to it. */
class World {
  readonly things: readonly Thing[] = EFFECTS.flatMap((effect, index) => [
    { id: ID(index * 2 + 1), effect },
    { id: ID(index * 2 + 2), effect },
  ]);
  /** Per commit, what its declaration asks for. */
  readonly asked: ReadonlySet<string>[] = [new Set()];
  readonly merges: Merge[] = [];
  live = new Set<string>();
  applied: number | null = 0;
  isGuarded = false;

  planOf(commit: number): TablePlan {
    const steps = this.things
      .filter(({ id }) => (this.asked[commit]?.has(id) ?? false) && !this.live.has(id))
      .map(({ id, effect }): Step => ({ ...step(1, { effect, text: TEXT }), id }));
    const made = tablePlan(TABLE, { steps });
    return {
      ...made,
      facts: {
        size: null,
        filesBySpec: null,
        lastWrite: null,
        appliedCommit: this.applied === null ? null : String(this.applied),
      },
    };
  }

  get tip(): number {
    return this.asked.length - 1;
  }

  recordsBetween(after: string | null, upTo: string): readonly Recorded[] {
    const from = after === null ? Number(upTo) - 1 : Number(after);
    return this.merges
      .filter(({ commit }) => commit > from && commit <= Number(upTo))
      .flatMap(({ number, recorded, commit }): readonly Recorded[] =>
        recorded === null
          ? []
          : [
              {
                pullRequest: pullRequest(number, commit),
                record: { environment: "prod", fingerprint: "", agreement: "", tables: new Map([[TABLE, recorded]]) },
              },
            ],
      );
  }

  lock(environment: string | null): SecondLock {
    const reviews = (number: number): readonly Review[] => {
      const merge = this.merges.find((one) => one.number === number);
      const bob = { id: 1, login: "bob", isBot: false };
      return merge?.isReviewed === true ? [{ author: bob, verdict: "approved", commit: `head-${number}` }] : [];
    };
    const guarded = this.isGuarded;
    const forge = {
      runs: {
        approvals: async () => await Promise.resolve(done([])),
        environment: async (name: string) =>
          await Promise.resolve(done({ name, hasReviewers: guarded, deploysFrom: "listed" as const })),
      },
      pullRequests: { reviews: async (number: number) => await Promise.resolve(done(reviews(number))) },
    };
    const context = { forge, runner: { runId: "1" }, jobEnvironment: async () => await Promise.resolve(environment) };
    return openSecondLock(context as unknown as ContextWithForge, POLICY);
  }
}

function pullRequest(number: number, commit: number): PullRequest {
  return {
    number,
    state: "merged",
    author: { id: 2, login: "alice", isBot: false },
    head: { commit: `head-${number}`, branch: "b", repository: "acme/lake" },
    base: { commit: String(commit - 1), branch: "main" },
    isFork: false,
    isDraft: false,
    mergeCommit: String(commit),
    mergedAt: "2026-01-01T00:00:00Z",
    url: "https://github.example",
  };
}

type Deed =
  | {
      readonly kind: "merge";
      readonly thing: number;
      readonly isPlanned: boolean;
      readonly isReviewed: boolean;
      readonly planAt: number;
    }
  | { readonly kind: "push"; readonly thing: number }
  | { readonly kind: "foreign"; readonly thing: number }
  | { readonly kind: "append" }
  | { readonly kind: "guard"; readonly isGuarded: boolean }
  | {
      readonly kind: "apply";
      readonly back: number;
      readonly maxEffect: Effect;
      readonly isGated: boolean;
      readonly isTipKnown: boolean;
      /** A foreign commit between what was judged and what is taken. */
      readonly meanwhile: number | null;
    };

const thing = fc.nat({ max: 7 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("merge" as const),
      thing,
      isPlanned: fc.boolean(),
      isReviewed: fc.boolean(),
      planAt: fc.nat({ max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("push" as const), thing }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("foreign" as const), thing }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("append" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("guard" as const), isGuarded: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("apply" as const),
      back: fc.nat({ max: 3 }),
      maxEffect: fc.constantFrom<Effect>("behaviour", "destructive"),
      isGated: fc.boolean(),
      isTipKnown: fc.boolean(),
      meanwhile: fc.option(thing),
    }),
  },
);

async function act(world: World, one: Deed): Promise<string[]> {
  const id = (index: number): string => world.things[index]?.id ?? "";
  const toggle = (index: number): void => {
    if (!world.live.delete(id(index))) world.live.add(id(index));
  };
  const now = world.asked.at(-1) ?? new Set<string>();
  switch (one.kind) {
    case "merge": {
      world.asked.push(new Set([...now, id(one.thing)]));
      const plan = world.planOf(world.tip);
      // A plan made before other merges did not show what they brought.
      const shown = plan.steps.slice(0, plan.steps.length - one.planAt);
      const recorded = one.isPlanned ? new Map(shown.map((its) => [its.id, its.effect])) : null;
      world.merges.push({ commit: world.tip, recorded, isReviewed: one.isReviewed, number: world.merges.length + 1 });
      return [];
    }
    case "push":
      world.asked.push(new Set([...now, id(one.thing)]));
      return [];
    case "foreign":
      toggle(one.thing);
      return [];
    case "append":
      return [];
    case "guard":
      world.isGuarded = one.isGuarded;
      return [];
    case "apply":
      return await apply(world, one, toggle);
  }
}

/** Takes what may be taken, and tells what must not have been. */
async function apply(
  world: World,
  { back, maxEffect, isGated, isTipKnown, meanwhile }: Extract<Deed, { readonly kind: "apply" }>,
  toggle: (index: number) => void,
): Promise<string[]> {
  const commit = Math.max(0, world.tip - back);
  const same = [...(world.asked[commit] ?? [])].join() === [...(world.asked[world.tip] ?? [])].join();
  const environment = isGated ? "gated" : null;
  const by: Judge = {
    commit: String(commit),
    environment: "prod",
    maxEffect,
    before: String(commit - 1),
    records: {
      merged: async (after, upTo) => await Promise.resolve(world.recordsBetween(after, upTo)),
      ofGroup: async () => await Promise.resolve([]),
    },
    lock: world.lock(environment),
    relation: async (base, head) =>
      await Promise.resolve(base === head ? "same" : Number(head) > Number(base) ? "ahead" : "behind"),
    superseded: isTipKnown && !same ? new Set([TABLE]) : new Set(),
  };
  const judgement = await judge(world.planOf(commit), by);
  if (meanwhile !== null) toggle(meanwhile);
  const plan = world.planOf(commit);
  const approval = judgement.kind === "go" ? judgement.approval : NOTHING_APPROVED;
  if (plan.steps.length === 0 || unapprovedSteps(plan, approval).length > 0) return [];
  const wrong: string[] = [];
  const from = world.applied;
  const inRange = world.merges.filter((one) => one.commit <= commit && (from === null || from === commit || one.commit > from));
  for (const { id, effect } of plan.steps) {
    const by = inRange.filter(({ recorded }) => recorded?.has(id) === true);
    if (effect !== "metadata" && by.length === 0) wrong.push(`${effect} without a record`);
    const isOpen = (isGated && world.isGuarded) || by.some(({ isReviewed }) => isReviewed);
    if (touchesValues(effect) && !isOpen) wrong.push(`${effect} without the second lock`);
    if (EFFECTS.indexOf(effect) > EFFECTS.indexOf(maxEffect)) wrong.push(`${effect} in a job of ${maxEffect}`);
  }
  if (from !== null && commit < from) wrong.push("an older commit over a newer");
  for (const { id } of plan.steps) world.live.add(id);
  world.applied = commit;
  return wrong;
}

it("nothing but metadata runs without a record, nothing is lost without the second lock, nothing goes back in time (T9)", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), async (deeds) => {
      const world = new World();
      for (const one of deeds) {
        const before = world.live.size;
        expect(await act(world, one)).toEqual([]);
        if (one.kind === "apply" && world.live.size > before) taken += 1;
      }
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(100);
});

it("a recorded step that comes up between the judgement and the commit has passed no second lock", async () => {
  const world = new World();
  const merge = { kind: "merge", isPlanned: true, planAt: 0 } as const;
  const take = { kind: "apply", back: 0, maxEffect: "destructive", isGated: false, isTipKnown: true } as const;
  await act(world, { ...merge, thing: 6, isReviewed: true });
  await act(world, { ...merge, thing: 7, isReviewed: false });
  // Somebody did the second by hand, and takes it back while the first is on its way.
  await act(world, { kind: "foreign", thing: 7 });
  expect(await act(world, { ...take, meanwhile: 7 })).toEqual([]);
  expect(world.applied).toBe(0);
  await act(world, { kind: "foreign", thing: 7 });
  expect(await act(world, { ...take, meanwhile: null })).toEqual([]);
  expect(world.applied).toBe(2);
});
