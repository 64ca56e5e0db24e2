// `npm run conformance -- FILE`: replays every case of an evolution conformance file and prints the wrong ones.
import { readFileSync } from "node:fs";
import { isJsonObject } from "../src/iceberg/json.ts";
import { parseJson } from "../src/iceberg/json-parse.ts";
import { textOf } from "./conformance-json.ts";
import { replayCase } from "./conformance-replay.ts";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("Usage: npm run conformance -- FILE");
  process.exit(64);
}

const document = parseJson(readFileSync(file));
const cases = isJsonObject(document) && Array.isArray(document["cases"]) ? document["cases"].filter(isJsonObject) : [];
let right = 0;
for (const one of cases) {
  const name = textOf(one, "name");
  try {
    const verdict = replayCase(one);
    if (verdict.right) right++;
    else console.log(`${name}\n${verdict.difference.replace(/^/gm, "  ")}`);
    if (verdict.right && verdict.note !== undefined) console.log(`${name}: ${verdict.note}`);
  } catch (error) {
    console.log(`${name}\n  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}
console.log(`${right} of ${cases.length} right`);
process.exit(right === cases.length && cases.length > 0 ? 0 : 1);
