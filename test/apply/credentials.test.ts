// Credentials that end in the middle of a conversion on AWS, by the built program: where their source has fresh ones by
// then (a file, an endpoint of a container) the same run goes on with them, else it says so and the next run finishes.
import { createServer, type Server } from "node:http";
import { rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { javaEntry, type JsonMetadata } from "../blackbox/glue-tables.ts";
import { type FakeGlue, glueError, startGlue } from "../fakes/glue.ts";
import { writeJson } from "../fakes/rest-json.ts";
import { type FakeS3, startS3 } from "../fakes/s3.ts";
import type { FakeKeys } from "../fakes/s3-signature.ts";
import { oneIn } from "../long.ts";
import { TABLE } from "./faults/fault-world.ts";
import { saidOn } from "../program/program-run.ts";
import { runProgram } from "../program/run-program.ts";
import { environmentOf } from "./faults/program.ts";
import { declare, jobNamed, makeProject } from "./faults/project.ts";
import { programVariables, storedExample } from "./faults/s3-world.ts";

const ACCOUNT = "011122223333";
const OLD: FakeKeys = { accessKeyId: "AKIAOLDOLDOLDOLDOLD", secretAccessKey: "old/secret+for/tests", sessionToken: "old-token" };
const FRESH: FakeKeys = {
  accessKeyId: "AKIAFRESHFRESHFRESH",
  secretAccessKey: "new/secret+for/tests",
  sessionToken: "new-token",
};
const KEYS = [OLD, FRESH];

let glue: FakeGlue;
let s3: FakeS3;
let folder: string;
let file: string;
let isOver = false;

beforeEach(async () => {
  isOver = false;
  glue = await startGlue({ account: ACCOUNT, databases: ["hr"], keys: KEYS });
  s3 = await startS3({ buckets: ["lake"], keys: KEYS });
  folder = makeProject(`{ type: glue, region: us-east-1, account: "${ACCOUNT}" }`, null);
  declare(folder, jobNamed("conversion").declaration);
  const example = storedExample(s3, "s3://lake/hr/iceberg_employee");
  example.put();
  const { metadataLocation, previousLocation } = example.table;
  const document = JSON.parse(writeJson(example.document(metadataLocation))) as JsonMetadata;
  glue.tables.put("hr", javaEntry(TABLE.name, document, metadataLocation, previousLocation));
  file = join(folder, "credentials");
  writeKeys(OLD);
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  const ends = await Promise.allSettled([glue.stop(), s3.stop()]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
});

function writeKeys({ accessKeyId, secretAccessKey, sessionToken }: FakeKeys): void {
  const lines = [`aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  writeFileSync(file, ["[default]", ...lines, `aws_session_token = ${sessionToken}`, ""].join("\n"));
}

/** From now on both services turn the old keys away. */
function end(): void {
  isOver = true;
  s3.expire(OLD.accessKeyId);
}

/** At the first call that fits. */
function endAt(operation: string, more: () => void): void {
  const on = (call: { readonly operation: string }): boolean => {
    if (!isOver && call.operation === operation && s3.counts()["PutObject"] !== undefined) {
      end();
      more();
    }
    return false;
  };
  for (const fake of [glue, s3]) fake.fault({ on, answer: "drop" });
  glue.fault({
    on: (_, { headers }) => isOver && (headers["authorization"] ?? "").includes(`Credential=${OLD.accessKeyId}/`),
    answer: glueError("ExpiredTokenException", "The security token included in the request is expired"),
    times: Number.MAX_SAFE_INTEGER,
  });
}

interface Ran {
  readonly exit: number | null;
  readonly said: string;
}

async function run(source: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ran> {
  return await runIn("warm", source, ...words);
}

async function apply(source: Readonly<Record<string, string>>, process: "own" | "warm" = "warm"): Promise<Ran> {
  return await runIn(process, source, "apply", "--plan", "plan.json");
}

async function runIn(
  process: "own" | "warm",
  source: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ran> {
  const services = { AWS_ENDPOINT_URL_S3: s3.url, AWS_ENDPOINT_URL_GLUE: glue.url, AWS_REGION: "us-east-1" };
  const variables = environmentOf({ folder, variables: { ...services, ...programVariables(folder), ...source } });
  const ran = await runProgram("index.js", { folder, variables, words, process });
  return { exit: ran.exit, said: saidOn(ran, "stdout") + saidOn(ran, "stderr") };
}

async function expectDone(source: Readonly<Record<string, string>>): Promise<void> {
  const plan = await run(source, "plan", "--format", "json");
  expect(plan.exit, plan.said).toBe(0);
  const { tables } = JSON.parse(plan.said) as { readonly tables: readonly { readonly steps: readonly unknown[] }[] };
  expect(tables.map(({ steps }) => steps)).toEqual([[]]);
}

describe("credentials that end in the middle of a conversion", () => {
  it.each(oneIn(3, ["PutObject", "UpdateTable", "GetTable"]))("are read anew from their file (at %s)", async (operation) => {
    const source = { AWS_SHARED_CREDENTIALS_FILE: file };
    expect((await run(source, "plan", "--out", "plan.json")).exit).toBe(0);
    endAt(operation, () => writeKeys(FRESH));
    // In a process of its own, as a workflow starts it.
    const applied = await apply(source, "own");
    expect([applied.exit, isOver], applied.said).toEqual([0, true]);
    await expectDone(source);
  });

  it("are asked for anew at their endpoint", async () => {
    let keys = OLD;
    const endpoint = await serve(() => keys);
    try {
      const source = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/keys` };
      expect((await run(source, "plan", "--out", "plan.json")).exit).toBe(0);
      endAt("PutObject", () => {
        keys = FRESH;
      });
      const applied = await apply(source);
      expect([applied.exit, isOver], applied.said).toEqual([0, true]);
      await expectDone(source);
    } finally {
      endpoint.close();
    }
  });

  it("are told where there are no others, and the next run finishes", async () => {
    const source = { AWS_SHARED_CREDENTIALS_FILE: file };
    expect((await run(source, "plan", "--out", "plan.json")).exit).toBe(0);
    endAt("PutObject", () => undefined);
    const applied = await apply(source);
    expect([applied.exit, applied.said]).toEqual([expect.any(Number), expect.stringMatching(/expired/i)]);
    expect(applied.exit).not.toBe(0);
    writeKeys(FRESH);
    const next = await apply(source);
    expect(next.exit, next.said).toBe(0);
    await expectDone(source);
  });
});

/** As a container's agent answers: keys that hold for hours, as far as it knows. */
async function serve(keys: () => FakeKeys): Promise<Server> {
  const server = createServer((_, response) => {
    const { accessKeyId, secretAccessKey, sessionToken } = keys();
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        Token: sessionToken,
        Expiration: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    );
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  return server;
}
