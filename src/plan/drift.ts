// Live things that Git did not ask for and floeplan did not make: reported with their origin and the three
// answers (keep, drop, leave), never changed.
import { formatType } from "../iceberg/type-text.ts";
import { fieldOrigin } from "./origin.ts";
import type { Drift } from "./plan.ts";
import { shortTypeText } from "./declared-type.ts";
import { propertyDifferences } from "./property-differences.ts";
import type { TablePair, UndeclaredField } from "./table-pair.ts";

export function findDrift(pair: TablePair): readonly Drift[] {
  const live = pair.pair;
  if (live === null) return [];
  const fields = live.undeclared.filter((one) => one.verdict === "drift").map((one) => fieldDrift(one, pair));
  const properties = propertyDifferences(pair).flatMap((one): Drift[] =>
    one.kind === "foreign"
      ? [
          {
            kind: "property",
            subject: one.key,
            field: null,
            what: `set to "${one.live}" by another writer; floeplan had set "${one.base}"`,
            origin: null,
            answers: {
              keep: `properties: { ${one.key}: ${JSON.stringify(one.live)} }`,
              drop: `properties: { ${one.key}: null }`,
              leave: null,
            },
          },
        ]
      : [],
  );
  return [...fields, ...properties];
}

function fieldDrift({ node }: UndeclaredField, pair: TablePair): Drift {
  const live = pair.pair;
  const required = node.required ? ", required: true" : "";
  const comment = node.doc === undefined ? "" : `, comment: ${JSON.stringify(node.doc)}`;
  const type = formatType(node.type);
  const typeText = /[,:#]/.test(type) ? JSON.stringify(type) : type;
  return {
    kind: "field",
    subject: node.path,
    field: { path: node.path, id: node.id },
    what: `only live: ${shortTypeText(node.type)}, id ${node.id}`,
    origin: live === null ? null : fieldOrigin(live.metadata, live.history.firstSchemaOf(node.id)),
    answers: {
      keep: `- { name: ${yamlName(node.name)}, type: ${typeText}${required}${comment} }`,
      drop: `dropped: [ { field: ${yamlName(node.path)}, reason: … } ]`,
      leave: `unmanaged: [ ${yamlName(node.path)} ]`,
    },
  };
}

/** Bare where YAML reads it as the same text, else in double quotes. */
function yamlName(text: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
