// Broken calls of every catalog over a service; what only one of them has is in its own file.
import { brokenCalls } from "./call-faults/suite.ts";
import { glueCalls } from "./call-faults/glue.ts";
import { restCalls } from "./call-faults/rest.ts";
import { s3TablesCalls } from "./call-faults/s3-tables.ts";

brokenCalls("Glue", await glueCalls(), 0);
brokenCalls("S3 Tables", await s3TablesCalls(), 1);
brokenCalls("a REST catalog", await restCalls(), 1);
