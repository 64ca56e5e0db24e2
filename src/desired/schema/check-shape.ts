// Runs the compiled schema over a tree and tells each violation in words, with its place. Knows the keywords our
// schemas use; what values mean beyond their shape is for the readers.
import { bug } from "../../diagnostics/tool-error.ts";
import { MAX_FINDINGS } from "../limits.ts";
import { type Reading, report } from "../reading.ts";
import type { YamlNode } from "../yaml/tree.ts";
import { plainData } from "./plain-data.ts";
import { rootSchema, type SchemaName, type SchemaSpot, childSchema, structureOf } from "./schemas.ts";
import { checkConfig, checkShared, checkTable, type Validator } from "./validators.js";
import type { Step } from "./violation.ts";
import { columnPathOf } from "./subject-name.ts";
import { wordsFor } from "./violation-words.ts";

const VALIDATORS: Readonly<Record<SchemaName, Validator>> = { table: checkTable, shared: checkShared, config: checkConfig };

/** True where the tree has the shape of its kind of file. */
export function checkShape(reading: Reading, kind: SchemaName, root: YamlNode): boolean {
  const validate = VALIDATORS[kind];
  if (validate(plainData(root))) return true;
  // "if" only repeats what the branch says.
  const violations = (validate.errors ?? []).filter((violation) => violation.keyword !== "if");
  for (const violation of violations.slice(0, MAX_FINDINGS)) {
    const spot = { violation, steps: stepsTo(root, kind, violation.instancePath) };
    const { code, span, ...parts } = wordsFor(spot, reading.source, reading.table);
    const field = columnPathOf(spot.steps);
    report(reading, code, span, field === null ? parts : { field, ...parts });
  }
  if (violations.length > MAX_FINDINGS) {
    report(reading, "more-findings", root, {
      what: `Only the first ${MAX_FINDINGS} of ${violations.length} findings about the shape of this file are listed`,
      mend: "Mend these first, then validate again",
    });
  }
  return false;
}

function stepsTo(root: YamlNode, kind: SchemaName, pointer: string): readonly Step[] {
  const steps: Step[] = [{ key: "", node: root, spot: structureOf(rootSchema(kind), root), entry: null }];
  for (const part of pointer.split("/").slice(1)) {
    const above = steps.at(-1);
    if (above === undefined) break;
    steps.push(stepInto(above, part.replaceAll("~1", "/").replaceAll("~0", "~")));
  }
  return steps;
}

function stepInto(above: Step, key: string): Step {
  if (above.node.kind === "list") {
    const node = above.node.items[Number(key)];
    if (node !== undefined) return { key: Number(key), node, spot: schemaOf(above.spot, Number(key), node), entry: null };
  }
  if (above.node.kind === "map") {
    // The validator saw the last of equal keys.
    const entry = above.node.entries.findLast((one) => one.key.text === key);
    if (entry !== undefined) return { key, node: entry.value, spot: schemaOf(above.spot, key, entry.value), entry };
  }
  throw bug("A validator names a value that is not there", { key });
}

function schemaOf(above: SchemaSpot | null, key: string | number, node: YamlNode): SchemaSpot | null {
  const child = above === null ? null : childSchema(above, key);
  return child === null ? null : structureOf(child, node);
}
