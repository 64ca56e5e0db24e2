// Writes the generated tables into README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { withTables } from "./readme-tables.ts";

writeFileSync("README.md", withTables(readFileSync("README.md", "utf8")));
