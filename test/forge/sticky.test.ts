// The sticky comment on any forge: however the calls of several runs fall between each other, one comment is left.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { done } from "../../src/forge/forge-answer.ts";
import type { Comment, Comments } from "../../src/forge/forge-comment.ts";
import { writeSticky } from "../../src/forge/forge-sticky.ts";
import { failureOf } from "./support.ts";

const MARKER = "<!-- m ";

interface Memory {
  readonly comments: Comments;
  readonly all: () => readonly Comment[];
}

/** `turn` is waited for before each call takes effect, and once more before its answer comes. */
function memory(turn: () => Promise<unknown>, isLost: () => boolean): Memory {
  const stored = new Map<number, Comment>();
  let next = 1;
  const call = async <T>(effect: () => T): Promise<T> => {
    await turn();
    const answer = effect();
    await turn();
    return answer;
  };
  return {
    all: () => [...stored.values()],
    comments: {
      own: async (_number, marker) => await call(() => done([...stored.values()].filter(({ body }) => body.startsWith(marker)))),
      create: async (_number, body) => {
        const lost = isLost();
        const made = await call(() => {
          const comment: Comment = { id: next++, body, url: "" };
          stored.set(comment.id, comment);
          return comment;
        });
        if (lost) throw new ToolError("unavailable", "No answer");
        return done(made);
      },
      update: async (id, body) =>
        await call(() => {
          const old = stored.get(id);
          if (old === undefined) return { kind: "missing", what: "gone", why: "gone" } as const;
          stored.set(id, { ...old, body });
          return done({ ...old, body });
        }),
      remove: async (id) =>
        await call(() => (stored.delete(id) ? done(null) : ({ kind: "missing", what: "gone", why: "gone" } as const))),
    },
  };
}

describe("writeSticky", () => {
  it("leaves one comment, that of one of the runs, in every order of their calls", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 0, max: 2 }),
        async (scheduler, runs, before) => {
          const { comments, all } = memory(
            async () => await scheduler.schedule(Promise.resolve()),
            () => false,
          );
          const old = Promise.all(
            Array.from({ length: before }, async (_one, at) => await comments.create(7, `${MARKER}old ${at}`)),
          );
          await scheduler.waitFor(old);
          const bodies = Array.from({ length: runs }, (_one, at) => `${MARKER}run ${at}`);
          const written = Promise.all(bodies.map(async (body) => await writeSticky(comments, 7, { marker: MARKER, body })));
          await scheduler.waitFor(written);
          expect(all()).toHaveLength(1);
          expect(bodies).toContain(all()[0]?.body);
          expect(new Set((await written).map(({ kind }) => kind))).toEqual(new Set(["done"]));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("leaves one comment when answers are lost after the comment was made", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 3 }), async (losses) => {
        const left = [...losses];
        const { comments, all } = memory(
          async () => await Promise.resolve(),
          () => left.shift() ?? false,
        );
        await writeSticky(comments, 7, { marker: MARKER, body: `${MARKER}one` });
        expect(all().map(({ body }) => body)).toEqual([`${MARKER}one`]);
      }),
    );
  });

  it("refuses a text that would not be found again", async () => {
    const { comments } = memory(
      async () => await Promise.resolve(),
      () => false,
    );
    expect(await failureOf(writeSticky(comments, 7, { marker: MARKER, body: "text" }))).toMatchObject({ kind: "internal" });
  });
});
