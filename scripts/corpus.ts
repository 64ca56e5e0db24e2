// `npm run corpus -- FOLDER…`: every table below the folders through reading, writing, import and the planner, a line
// a table. Ends with 1 on a crash, a file that is not written back as it was, an imported file whose plan is not
// empty, an id that changed, or a deliberately wrong file that was read.
import { checkCorpus } from "./corpus-run.ts";

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("Usage: npm run corpus -- FOLDER…");
  process.exit(64);
}
let failures = 0;
for (const folder of folders) {
  const result = checkCorpus(folder);
  for (const line of result.lines) console.log(line);
  for (const [code, names] of result.refusedEdits) console.log(`refused edits, ${code}: ${names.length}, as ${names[0] ?? ""}`);
  console.log(
    `${folder}: ${result.tables} tables, ${result.refusedTables} refused; ${result.plannedEdits} edits planned; ${result.failures} failures`,
  );
  failures += result.failures + (result.tables === 0 ? 1 : 0);
}
process.exit(failures === 0 ? 0 : 1);
