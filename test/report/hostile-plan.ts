// A plan in which every text that comes from outside is one hostile text or another.
import fc from "fast-check";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { EFFECTS, type Drift, type Plan, type Step } from "../../src/plan/plan.ts";
import { hostileText } from "../hostile/text.ts";
import { ID, plan, step, tablePlan } from "./plans.ts";

const text = hostileText();
const place = fc.record({ file: text, line: fc.integer({ min: 1, max: 9_999 }), column: fc.integer({ min: 1, max: 300 }) });

const hostileDiagnostic = fc.record({
  code: fc.constant<Diagnostic["code"]>("plan-file-invalid"),
  severity: fc.constantFrom<Diagnostic["severity"]>("error", "warning", "note"),
  what: text.map((name) => `Cannot drop "${name}" silently: ${name}`),
  why: text,
  mend: text.map((name) => `Write \`${name}\` or ${name}`),
  place,
  table: text,
  field: text,
  correctedLine: text,
});

const hostileStep = (number: number): fc.Arbitrary<Step> =>
  fc
    .record({
      effect: fc.constantFrom(...EFFECTS),
      symbol: fc.constantFrom<Step["text"]["symbol"]>("+", ">", "^", "~", "!", "-"),
      subject: text,
      change: text,
      detail: text,
      place: fc.option(place),
      label: text,
      value: text,
    })
    .map(({ effect, symbol, subject, change, detail, place: where, label, value }) =>
      step(number, {
        effect,
        text: { symbol, subject, change, detail },
        place: where,
        before: value,
        after: { [label]: value },
        evidence: { [label]: value },
        sql: { spark: value, athena: null, trino: value },
      }),
    );

const hostileDrift: fc.Arbitrary<Drift> = fc.record({
  kind: fc.constant<Drift["kind"]>("field"),
  subject: text,
  field: fc.record({ path: text, id: fc.nat() }),
  what: text,
  origin: fc.option(text),
  answers: fc.record({ keep: fc.option(text), drop: fc.option(text), leave: fc.option(text) }),
});

export function hostilePlan(): fc.Arbitrary<Plan> {
  const table = fc
    .record({
      name: text.map((name) => name || "x"),
      file: text,
      environment: text.map((name) => name || "x"),
      owner: fc.option(text),
      steps: fc.tuple(hostileStep(1), hostileStep(2), hostileStep(3)).chain((steps) => fc.subarray(steps)),
      blockers: fc.array(hostileDiagnostic, { maxLength: 1 }),
      drift: fc.array(hostileDrift, { maxLength: 1 }),
      notes: fc.array(hostileDiagnostic, { maxLength: 2 }),
    })
    .map(({ name, steps, ...parts }) => ({ ...tablePlan("a.b", { ...parts }), table: name, steps }));
  return fc.array(table, { minLength: 1, maxLength: 3 }).map((tables) => {
    const unique = tables.map((one, index) => ({
      ...one,
      steps: one.steps.map((its, position) => ({ ...its, id: ID(index * 100 + position + 1) })),
    }));
    return { ...plan(...unique), environment: tables[0]?.environment ?? "prod" };
  });
}
