// Writes the files that are made from tables in src/.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { GENERATED_FILES } from "./generated-files.ts";

for (const { file, today } of GENERATED_FILES) {
  writeFileSync(file, today(existsSync(file) ? readFileSync(file, "utf8") : ""));
}
