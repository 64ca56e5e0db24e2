// The words for one violation of a schema: what, why, and how to mend it. One function a keyword; a keyword without
// one is a bug, which a test over the schemas finds.
import { bug } from "../../diagnostics/tool-error.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import { didYouMean, nearest } from "../../diagnostics/near-spelling.ts";
import { joined, quoted } from "../words.ts";
import type { SourceText } from "../yaml/source-text.ts";
import { isEmpty, type YamlNode } from "../yaml/tree.ts";
import { describeNode, expectedOf, plainText, typesOf } from "./describe-value.ts";
import { containerName, subjectName } from "./subject-name.ts";
import { keyFor } from "./other-words.ts";
import { propertiesOf } from "./schemas.ts";
import type { Step, Told, ViolationSpot } from "./violation.ts";

interface Case {
  readonly spot: ViolationSpot;
  readonly step: Step;
  readonly schema: JsonObject;
  readonly source: SourceText;
  /** E.g. `"required" in field "customer"`. */
  readonly subject: string;
  /** E.g. `field "customer"`. */
  readonly container: string;
  readonly table: string | undefined;
}

export function wordsFor(spot: ViolationSpot, source: SourceText, table: string | undefined): Told {
  const step = spot.steps.at(-1);
  const words = WORDS[spot.violation.keyword];
  if (step === undefined || words === undefined) throw bug("A schema keyword has no words", { keyword: spot.violation.keyword });
  return words({
    spot,
    step,
    source,
    schema: step.spot?.schema ?? {},
    subject: subjectName(spot.steps, table),
    container: containerName(spot.steps, table),
    table,
  });
}

const WORDS: Readonly<Record<string, (one: Case) => Told>> = {
  additionalProperties: unknownKey,
  required: missingKey,
  type: wrongKind,
  enum: notAllowed,
  const: notAllowed,
  pattern: malformed,
  minimum: outOfRange,
  maximum: outOfRange,
  minItems: tooFew,
  minProperties: tooFew,
  not: refused,
};

/** Keys that belong to fields; a list element or a map value has none of them. */
const FIELD_ONLY: ReadonlySet<string> = new Set(["name", "comment", "renamed-from", "default", "meta"]);
const SECRETS: ReadonlySet<string> = new Set([
  "token",
  "credential",
  "password",
  "secret",
  "access-key",
  "secret-access-key",
  "client-secret",
]);

function unknownKey({ spot, step, container }: Case): Told {
  const key = String(spot.violation.params["additionalProperty"]);
  const entry = step.node.kind === "map" ? step.node.entries.find((one) => one.key.text === key) : undefined;
  const span = entry?.key ?? step.node;
  const known =
    step.spot === null
      ? []
      : [...propertiesOf(step.spot)].flatMap(([name, schema]) => (schema["not"] === undefined ? [name] : []));
  const meant = keyFor(key, known);
  const isPart = known.includes("type") && known.includes("fields") && !known.includes("name");
  if (isPart && FIELD_ONLY.has(key)) {
    return {
      code: "part-has-no-name",
      span,
      what: `Cannot use "${key}" in ${container}`,
      why: "Iceberg keeps no name, doc or default for a list element, map key or map value",
      mend: `Remove "${key}"; a comment belongs to the field that holds the list or map`,
    };
  }
  if (known.includes("auth") && SECRETS.has(key)) {
    return {
      code: "secret-in-file",
      span,
      what: `Cannot take "${key}" from ${container}: a secret has no place in a file`,
      why: "Everyone who reads the repository could use it",
      mend: "Remove it here, change it where it is valid, and set FLOEPLAN_REST_TOKEN_<CATALOG> or FLOEPLAN_REST_CREDENTIAL_<CATALOG>",
    };
  }
  return {
    code: "unknown-key",
    span,
    what: `Unknown key ${quoted(key)} in ${container}`,
    mend: meant === undefined ? (didYouMean(key, known) ?? knownKeys(known)) : `Did you mean "${meant}"?`,
  };
}

/** More keys than these are a page to read, not a message. */
const MAX_LISTED = 12;

function knownKeys(known: readonly string[]): string {
  if (known.length === 0) return "Remove it";
  return known.length > MAX_LISTED
    ? "Remove it, or compare with docs/table-files.md"
    : `Known keys are ${joined(known.map(quoted), "and")}`;
}

function missingKey({ spot, step, container }: Case): Told {
  const key = String(spot.violation.params["missingProperty"]);
  const { node } = step;
  const known = step.spot === null ? undefined : propertiesOf(step.spot).get(key);
  const typo =
    node.kind === "map"
      ? nearest(
          key,
          node.entries.map((entry) => entry.key.text),
        )
      : null;
  const description = known?.["description"];
  return {
    code: "missing-key",
    span: { start: node.start, end: node.start },
    what: `Missing key "${key}" in ${container}`,
    ...(typeof description === "string" ? { why: description.replace(/\.$/, "") } : {}),
    mend: typo === null ? `Add "${key}:"` : `Write "${key}" instead of ${quoted(typo)}`,
  };
}

/** What older YAML took for booleans, and people still write. */
const OLD_BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["no", false],
  ["on", true],
  ["off", false],
  ["true", true],
  ["false", false],
]);

function wrongKind({ step, schema, source, subject, container }: Case): Told {
  const { node, entry } = step;
  const types = typesOf(schema["type"]);
  const found = describeNode(node);
  const expected = expectedOf(schema);
  if (step.key === "") {
    return {
      code: "wrong-kind",
      span: { start: node.start, end: node.start },
      what: `Cannot read ${container}: expected a map, found ${found}`,
    };
  }
  if (node.kind === "scalar" && node.value === null) return emptyValue(node, entry?.key ?? node, subject, expected, types);
  const boolean = node.kind === "scalar" ? OLD_BOOLEANS.get(node.text.toLowerCase()) : undefined;
  if (types.includes("boolean") && !types.includes("string") && boolean !== undefined) {
    return {
      code: "wrong-kind",
      span: node,
      what: `Cannot use ${found} for ${subject}`,
      why: "YAML 1.2 reads it as text; the words are true and false",
      mend: `Write ${boolean}`,
      edits: [{ file: source.file, start: node.start, end: node.end, text: String(boolean) }],
    };
  }
  const wantsList = types.includes("array") && node.kind === "scalar";
  return {
    code: "wrong-kind",
    span: node.kind === "scalar" ? node : { start: node.start, end: node.start },
    what: `Cannot use ${found} for ${subject}`,
    why: `Expected ${expected}`,
    ...(wantsList ? { mend: `Write a list: [ ${node.text} ]` } : {}),
  };
}

function emptyValue(
  node: YamlNode,
  key: { start: number; end: number },
  subject: string,
  expected: string,
  types: readonly string[],
): Told {
  const empty = isEmpty(node);
  const isText = types.includes("string");
  return {
    code: "empty-value",
    span: empty ? key : node,
    what: `Cannot use ${describeNode(node)} for ${subject}`,
    why: `Expected ${expected}`,
    mend: empty
      ? "Write a value, or remove the key"
      : isText
        ? 'Write "null" in double quotes if the text is meant'
        : "Write a value, or remove the key",
  };
}

function notAllowed({ step, schema, subject }: Case): Told {
  const { node } = step;
  if (node.kind === "scalar" && node.value === null)
    return emptyValue(node, step.entry?.key ?? node, subject, expectedOf(schema), []);
  const allowed = Array.isArray(schema["enum"]) ? schema["enum"].map(plainText) : [plainText(schema["const"])];
  const near = node.kind === "scalar" ? didYouMean(node.text, allowed) : undefined;
  return {
    code: "value-not-allowed",
    span: node,
    what: `Cannot use ${describeNode(node)} for ${subject}`,
    why: `Expected ${expectedOf(schema)}`,
    mend: near ?? (allowed.length === 1 ? `Write ${allowed[0] ?? ""}` : "Write one of these"),
  };
}

function malformed({ step, schema, subject }: Case): Told {
  const hint = schema["patternErrorMessage"];
  return {
    code: "value-malformed",
    span: step.node,
    what: `Cannot use ${describeNode(step.node)} for ${subject}`,
    mend: typeof hint === "string" ? hint : `Write text that matches ${plainText(schema["pattern"])}`,
  };
}

function outOfRange({ step, schema, subject }: Case): Told {
  const [least, most] = [schema["minimum"], schema["maximum"]];
  return {
    code: "value-out-of-range",
    span: step.node,
    what: `Cannot use ${describeNode(step.node)} for ${subject}`,
    why:
      most === undefined ? `The least value is ${plainText(least)}` : `Values go from ${plainText(least)} to ${plainText(most)}`,
    mend: "Write a number in that range",
  };
}

function tooFew({ step, schema, subject }: Case): Told {
  const least = schema["minItems"] ?? schema["minProperties"];
  return {
    code: "too-few-items",
    span: step.entry?.key ?? step.node,
    what: `Cannot use an empty ${step.node.kind} for ${subject}`,
    why: `It needs at least ${least === 1 ? "one entry" : `${plainText(least)} entries`}`,
    mend: "Write what belongs there",
  };
}

function refused({ spot, step, schema, table }: Case): Told {
  const description = schema["description"];
  const container = containerName(spot.steps.slice(0, -1), table);
  return {
    code: "key-refused",
    span: step.entry?.key ?? step.node,
    what: `Cannot use "${step.key}" in ${container}`,
    ...(typeof description === "string" ? { why: description.replace(/\.$/, "") } : {}),
    mend: "Remove it here",
  };
}
