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
import type { CallName, FaultAnswer } from "../fakes/http-fake.ts";
import { FAKE_KEYS, s3Error } from "../fakes/s3.ts";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };
/** After which an answer is taken for lost. */
const PATIENCE_MS = 400;

/** What a broken call gets, and whether it had done its work. */
export interface Break {
  readonly glue: FaultAnswer;
  readonly s3: FaultAnswer;
  readonly effect: "before" | "after";
  /** All later calls are broken too. */
  readonly forGood: boolean;
}

const internal = {
  glue: glueError("InternalServiceException", "Internal failure", 500),
  s3: s3Error(500, "InternalError", { message: "We encountered an internal error. Please try again." }),
};

export const BREAKS: Readonly<Record<string, Break>> = {
  throttled: {
    glue: glueError("ThrottlingException", "Rate exceeded"),
    s3: s3Error(503, "SlowDown", { message: "Please reduce your request rate." }),
    effect: "before",
    forGood: false,
  },
  "failed, before its effect": { ...internal, effect: "before", forGood: false },
  "failed, after its effect": { ...internal, effect: "after", forGood: false },
  "dropped, before its effect": { glue: "drop", s3: "drop", effect: "before", forGood: false },
  "dropped, after its effect": { glue: "drop", s3: "drop", effect: "after", forGood: false },
  denied: {
    glue: glueError("AccessDeniedException", "User: arn:aws:sts::1:assumed-role/r/s is not authorized to perform: glue:X"),
    s3: s3Error(403, "AccessDenied", { message: "Access Denied" }),
    effect: "before",
    forGood: false,
  },
  "the last, before its effect": { glue: "drop", s3: "drop", effect: "before", forGood: true },
  "the last, after its effect": { glue: "drop", s3: "drop", effect: "after", forGood: true },
  "silent, before its effect": { glue: "hang", s3: "hang", effect: "before", forGood: false },
  "silent, after its effect": { glue: "hang", s3: "hang", effect: "after", forGood: false },
};

export interface GlueWorld {
  readonly lake: Lake;
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
  return {
    lake,
    target: (name, declaration, { isNew } = { isNew: false }) => {
      if (!isNew) lake.seed("iceberg_employee", name);
      const spec = specs.get(declaration) ?? specOf(lake, declaration);
      specs.set(declaration, spec);
      const identifier = { namespace: ["hr"], name };
      return { spec: { ...spec, name: `hr.${name}`, identifier }, policy: DEFAULT_POLICY, catalog };
    },
    breakCall: (number, { glue, s3, effect, forGood }) => {
      let seen = 0;
      const on = (): boolean => {
        seen++;
        return forGood ? seen >= number : seen === number;
      };
      const times = Number.MAX_SAFE_INTEGER;
      const heal = [lake.glue.fault({ on, answer: glue, effect, times }), lake.s3.fault({ on, answer: s3, effect, times })];
      return () => {
        for (const one of heal) one();
      };
    },
    record: () => {
      const operations: string[] = [];
      const on = ({ operation }: CallName): boolean => {
        operations.push(operation);
        return false;
      };
      const end = [lake.glue, lake.s3].map((fake) => fake.fault({ on, answer: "drop" }));
      return () => {
        for (const one of end) one();
        return operations;
      };
    },
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
