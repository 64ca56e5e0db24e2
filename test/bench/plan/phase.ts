// One measured piece of the bench of planning, in a process of its own: `phase.ts NAME FILE…`. Prints a line of JSON:
// processor seconds of its parts, and the peak memory of the process.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { applyUpdates } from "../../../src/iceberg/apply-update.ts";
import { readMetadata, writeMetadata } from "../../../src/iceberg/metadata-json.ts";
import { planTable } from "../../../src/plan/plan-table.ts";
import { applied, inputOf, specOf } from "../../plan/support.ts";
import { bigDeclaration, flatDeclaration, wideDeclaration } from "./inputs.ts";

const seconds: Record<string, number> = {};

function timed<T>(name: string, body: () => T): T {
  const from = process.cpuUsage();
  const result = body();
  const { user, system } = process.cpuUsage(from);
  seconds[name] = (user + system) / 1e6;
  return result;
}

const PHASES: Readonly<Record<string, (words: readonly string[]) => void>> = {
  bytes: ([source = "", target = ""]) => {
    timed("all", () => {
      writeFileSync(target, readFileSync(source));
    });
  },
  json: ([source = "", target = ""]) => {
    timed("all", () => {
      writeFileSync(target, JSON.stringify(JSON.parse(readFileSync(source, "utf8"))));
    });
  },
  metadata: ([source = "", target = ""]) => {
    timed("all", () => {
      const metadata = timed("read", () => readMetadata(readFileSync(source), source));
      const { change, plan } = timed("plan", () => planTable(inputOf(bigDeclaration(), metadata)));
      if (change === null || plan.steps.length !== 1) throw new Error(`${plan.steps.length} steps, and one column is new`);
      const options = { nowMs: metadata.lastUpdatedMs + 1, previousMetadataLocation: source };
      const after = timed("apply", () => applyUpdates(metadata, change.updates, options));
      timed("write", () => {
        writeFileSync(target, writeMetadata(after));
      });
    });
  },
  wide: ([fields = "0"]) => {
    declared(wideDeclaration(Number(fields), false), wideDeclaration(Number(fields), true));
  },
  flat: ([fields = "0"]) => {
    declared(flatDeclaration(Number(fields), false), flatDeclaration(Number(fields), true));
  },
  yaml: ([folder = ""]) => {
    timed("all", () => {
      for (const name of readdirSync(join(folder, "tables"))) {
        parseDocument(readFileSync(join(folder, "tables", name), "utf8")).toJS();
      }
    });
  },
};

/** From one declaration to the next one. */
function declared(before: string, after: string): void {
  timed("declaration", () => specOf(before));
  const input = inputOf(before, null);
  const { plan: creation } = timed("create", () => planTable(input));
  if (creation.blockers.length > 0) throw new Error(JSON.stringify(creation.blockers[0]));
  const live = applied(before, emptyTable());
  const edited = inputOf(after, live);
  const { plan, change } = timed("edit", () => planTable(edited));
  if (change === null) throw new Error(JSON.stringify(plan.blockers[0] ?? "no steps"));
  timed("apply", () => applyUpdates(live, change.updates, { nowMs: live.lastUpdatedMs, previousMetadataLocation: null }));
  seconds["steps"] = plan.steps.length;
}

function emptyTable(): ReturnType<typeof readMetadata> {
  const text = JSON.stringify({
    "format-version": 2,
    "table-uuid": "11111111-2222-3333-4444-555555555555",
    location: "/wh/ns/t",
    "last-sequence-number": 0,
    "last-updated-ms": 1_700_000_000_000,
    "last-column-id": 0,
    "current-schema-id": 0,
    schemas: [{ type: "struct", "schema-id": 0, fields: [] }],
    "default-spec-id": 0,
    "partition-specs": [{ "spec-id": 0, fields: [] }],
    "last-partition-id": 999,
    "default-sort-order-id": 0,
    "sort-orders": [{ "order-id": 0, fields: [] }],
  });
  return readMetadata(new TextEncoder().encode(text), "v1.metadata.json");
}

const [name = "", ...words] = process.argv.slice(2);
const phase = PHASES[name];
if (phase === undefined) throw new Error(`No phase "${name}"`);
phase(words);
console.log(JSON.stringify({ seconds, peakMiB: process.resourceUsage().maxRSS / 1024 }));
