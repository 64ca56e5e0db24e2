// What a denial becomes for a caller that cannot go on, and what a person does about it.
import { describe, expect, it } from "vitest";
import { type Denial, done, mapAnswer, mendOf, valueOf } from "../../src/forge/forge-answer.ts";

const words = { what: "Cannot record the check", why: 'GitHub says "no"' };
const forbidden: Denial = { kind: "forbidden", permission: "checks: write", ...words };

describe("an answer", () => {
  it("gives its value, changed or not", () => {
    expect(valueOf(mapAnswer(done(2), (value) => value * 2))).toBe(4);
    expect(mapAnswer(forbidden, () => 4)).toBe(forbidden);
  });

  it.each<[Denial, string]>([
    [forbidden, "auth"],
    [{ kind: "missing", ...words }, "not-found"],
    [{ kind: "too-long", limit: 5, ...words }, "refused"],
    [{ kind: "refused", ...words }, "refused"],
  ])("of %o fails as %s where the value is needed", (denial, kind) => {
    expect(() => valueOf(denial)).toThrowError(expect.objectContaining({ kind, message: words.what, why: words.why }));
  });

  it("names the permission only where one would help", () => {
    expect(mendOf(forbidden)).toContain("`checks: write`");
    expect(mendOf({ ...forbidden, permission: null })).toBeNull();
    expect(mendOf({ kind: "missing", ...words })).toBeNull();
  });
});
