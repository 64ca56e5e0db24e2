// The catalogs whose calls are broken, one a line.
import type { FaultWorld } from "./fault-world.ts";
import { glueFaults } from "./glue-faults.ts";
import { localFaults } from "./local-faults.ts";
import { restFaults } from "./rest-faults.ts";
import { s3TablesFaults } from "./s3-tables-faults.ts";

export const SUBJECTS: Readonly<Record<string, () => Promise<FaultWorld>>> = {
  local: localFaults,
  glue: glueFaults,
  "s3-tables": s3TablesFaults,
  rest: restFaults,
};
