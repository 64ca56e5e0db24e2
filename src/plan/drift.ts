// Live things that Git did not ask for and floeplan did not make: reported with their origin and the three
// answers (keep, drop, leave), never changed.
import { catalogDifferences } from "./catalog-differences.ts";
import { formatType } from "../iceberg/type-text.ts";
import { fieldOrigin } from "./origin.ts";
import type { Drift } from "./plan.ts";
import { shortTypeText } from "./declared-type.ts";
import { glueParameterDifferences, type PropertyDifference, propertyDifferences } from "./property-differences.ts";
import type { TablePair, UndeclaredField } from "./table-pair.ts";

export function findDrift(pair: TablePair): readonly Drift[] {
  const live = pair.pair;
  if (live === null) return [];
  const fields = live.undeclared.filter((one) => one.verdict === "drift").map((one) => fieldDrift(one, pair));
  return [
    ...fields,
    ...foreignTexts("property", propertyDifferences(pair)),
    ...foreignTexts("glue-parameter", glueParameterDifferences(pair)),
    ...glueColumns(pair),
  ];
}

/** How each kind of key and value is written in a file. */
const WRITTEN = {
  property: (pair: string) => `properties: { ${pair} }`,
  "glue-parameter": (pair: string) => `glue: { parameters: { ${pair} } }`,
} as const;

function foreignTexts(kind: keyof typeof WRITTEN, differences: readonly PropertyDifference[]): readonly Drift[] {
  return differences.flatMap((one) =>
    one.kind === "foreign"
      ? [
          {
            kind,
            subject: one.key,
            field: null,
            what: `set to "${one.live}" by another writer; floeplan had set "${one.base}"`,
            origin: null,
            answers: {
              keep: WRITTEN[kind](`${one.key}: ${JSON.stringify(one.live)}`),
              drop: WRITTEN[kind](`${one.key}: null`),
              leave: null,
            },
          },
        ]
      : [],
  );
}

/** Git says nothing of Glue's list, which follows from the table: the plan holds the step that mends it. */
function glueColumns(pair: TablePair): readonly Drift[] {
  const differences = catalogDifferences(pair);
  if (differences.length === 0) return [];
  const what = differences.map(({ subject, what: difference }) => `${subject} ${difference}`).join(", ");
  return [
    {
      kind: "glue-columns",
      subject: "Glue columns",
      field: null,
      what: `not as in the table: ${what}; the next apply mends the list`,
      origin: null,
      answers: { keep: null, drop: null, leave: null },
    },
  ];
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
