// The plan file that `apply --plan` takes: another person's text, read or told.
import { parseJson } from "../../../src/iceberg/json-parse.ts";
import { readPlanJson } from "../../../src/report/formats/plan-json-read.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { mutateTree } from "../mutate/json.ts";
import { mutateText, utf8WithSurrogates } from "../mutate/text.ts";
import { printJson, treeOf } from "../mutate/tree.ts";
import { ACCEPTED, type FuzzTarget, refused, WrongAcceptance } from "../target.ts";

const HASH = "ab".repeat(32);
const TEXT = JSON.stringify({
  floeplan: 1,
  environment: "prod",
  fingerprint: HASH,
  tables: [
    { table: "sales.orders", fingerprint: HASH, steps: [{ id: HASH, kind: "add-field" }, { id: HASH }] },
    { table: "sales.items", fingerprint: HASH, steps: [] },
  ],
});

export const planJson: FuzzTarget = {
  name: "plan-json",
  about: "plan.json of `apply --plan`",
  isSeed: () => false,
  open: () => {
    const tree = treeOf(parseJson(TEXT));
    const bytes = new TextEncoder().encode(TEXT);
    return {
      make: (random) => {
        if (random.once(8)) return mutateBytes(bytes, random, bytes);
        if (random.once(8)) return utf8WithSurrogates(mutateText(TEXT, random, TEXT));
        return utf8WithSurrogates(printJson(mutateTree(tree, random, tree)));
      },
      use: (input) => {
        const read = readPlanJson(new TextDecoder("utf-8", { ignoreBOM: true }).decode(input), "plan.json");
        if ("code" in read) return refused(read.code);
        const names = new Set(read.tables.map((one) => one.table));
        if (names.size < read.tables.length) throw new WrongAcceptance("One table is in the plan twice");
        return ACCEPTED;
      },
    };
  },
};
