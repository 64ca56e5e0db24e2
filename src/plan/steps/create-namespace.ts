// create-namespace: a new table's namespace that the catalog does not have. Done before the table is created;
// it changes no table metadata.
import { ddl, quoteHive, quoteTrino } from "../ddl.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const createNamespace: StepKind = {
  kind: "create-namespace",
  detect(pair) {
    if (pair.live !== null || pair.namespaceExists) return [];
    const { namespace } = pair.spec.identifier;
    const name = namespace.join(".");
    return [
      planStep(pair, {
        kind: "create-namespace",
        path: null,
        effect: "metadata",
        before: null,
        after: [...namespace],
        place: pair.spec.place,
        sql: ddl(pair, () => ({
          spark: `CREATE NAMESPACE ${namespace.map(quoteHive).join(".")}`,
          athena: namespace.length === 1 ? `CREATE DATABASE ${namespace.map(quoteHive).join(".")}` : null,
          trino: namespace.length === 1 ? `CREATE SCHEMA ${namespace.map(quoteTrino).join(".")}` : null,
        })),
        edit: (draft) => {
          draft.createNamespace();
        },
        text: () => ({ symbol: "+", subject: name, change: "new namespace", detail: "" }),
      }),
    ];
  },
};
