// A world for apply on AWS: tables that Spark wrote in a fake Glue and a fake S3 over real HTTP, the product's own
// clients without real pauses, and faults by the number of the call, counted over both services.
import { GlueClient } from "@aws-sdk/client-glue";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { createGlueCatalog } from "../../src/catalog/glue-catalog.ts";
import { glueService } from "../../src/catalog/glue.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { loadProject, resolveProject } from "../../src/desired/load-project.ts";
import { DEFAULT_POLICY } from "../../src/desired/project-config.ts";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import { createS3Store } from "../../src/storage/s3.ts";
import type { Target } from "../../src/apply/table-state.ts";
import { ACCOUNT, exampleFile, type Lake, startLake } from "../blackbox/glue-support.ts";
import { glueError } from "../fakes/glue.ts";
import { FAKE_KEYS } from "../fakes/s3.ts";
import { type Break, breakCall, PATIENCE_MS, recordCalls, S3_ERRORS, type ServiceErrors } from "./call-breaks.ts";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };
const GLUE_ERRORS: ServiceErrors = {
  throttled: glueError("ThrottlingException", "Rate exceeded"),
  failed: glueError("InternalServiceException", "Internal failure", 500),
  denied: glueError("AccessDeniedException", "User: arn:aws:sts::1:assumed-role/r/s is not authorized to perform: glue:X"),
};

export interface GlueWorld {
  readonly lake: Lake;
  readonly catalog: Catalog;
  /** The declared table of the example under another name, in Glue already unless it is to be made. */
  readonly target: (name: string, declaration: string, options?: { readonly isNew: boolean }) => Target;
  /** Breaks the call of this number from now on, counted from 1; the answer heals. */
  readonly breakCall: (number: number, one: Break) => () => void;
  /** Notes the calls from now on; the answer ends it and gives their operations in order. */
  readonly record: () => () => readonly string[];
}

export async function glueWorld(): Promise<GlueWorld> {
  const lake = await startLake();
  const specs = new Map<string, TableSpec>();
  const catalog = catalogOf(lake);
  const services = [
    { fake: lake.glue, errors: GLUE_ERRORS },
    { fake: lake.s3, errors: S3_ERRORS },
  ];
  return {
    lake,
    catalog,
    target: (name, declaration, { isNew } = { isNew: false }) => {
      if (!isNew) lake.seed("iceberg_employee", name);
      const spec = specs.get(declaration) ?? specOf(lake, declaration);
      specs.set(declaration, spec);
      const identifier = { namespace: ["hr"], name };
      return { spec: { ...spec, name: `hr.${name}`, identifier }, policy: DEFAULT_POLICY, catalog };
    },
    breakCall: (number, one) => breakCall(services, number, one),
    record: () => recordCalls(services),
  };
}

function catalogOf({ glue, s3 }: Lake): Catalog {
  const client = new GlueClient({
    endpoint: glue.url,
    region: "us-east-1",
    credentials: FAKE_KEYS,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: PATIENCE_MS, throwOnRequestTimeout: true },
  });
  return createGlueCatalog({
    name: "lake",
    region: "us-east-1",
    account: ACCOUNT,
    service: glueService(client, ACCOUNT, NO_PAUSES),
    openStore: () =>
      createS3Store({
        endpoint: s3.url,
        region: "us-east-1",
        credentials: FAKE_KEYS,
        ports: NO_PAUSES,
        idleTimeoutMs: PATIENCE_MS,
      }),
    identity: async () => ({ arn: `arn:aws:iam::${ACCOUNT}:user/tests`, account: ACCOUNT }),
    ports: { ...systemPorts(), wait: NO_PAUSES.wait },
  });
}

function specOf(lake: Lake, declaration: string): TableSpec {
  lake.write("tables/one.yaml", declaration);
  const [spec] = resolveProject(loadProject(lake.folder), "prod").tables;
  if (spec === undefined) throw new Error("The declaration is wrong");
  return spec;
}

export const CONVERSION = exampleFile("tables/hr/iceberg_employee.yaml");

/** A change in metadata alone. */
export const METADATA = `table: hr.iceberg_employee
comment: One row per employee
columns:
  - { name: employeeid, type: string }
  - { name: first_name, type: string, renamed-from: [ name_first ] }
  - { name: department, type: string }
glue: { parameters: { data_class: internal } }
`;

export const CREATION = `table: hr.iceberg_employee
comment: One row per employee
columns:
  - { name: employeeid, type: int, required: true, comment: "Number" }
  - { name: hired, type: date }
partition-by: [ year(hired) ]
`;
