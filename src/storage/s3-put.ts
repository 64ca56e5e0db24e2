// Whole objects written to S3 by one request: over what is there, or only where nothing is. The second is how commits
// are decided, so it is settled by looking: whenever an answer leaves open whether the object is ours, it is read back.
// A store that refuses conditions may be written to without, where the caller's names are such that nobody else takes them.
import { randomUUID } from "node:crypto";
import { ToolError } from "../diagnostics/tool-error.ts";
import { ATTEMPTS, pauseMs, type RetryPorts, withRetries } from "./aws-retry.ts";
import type { PutResult } from "./object-store.ts";
import type { S3Calls } from "./s3-calls.ts";
import { s3ToolError, withS3Errors } from "./s3-errors.ts";
import { adviseRetry, readFailure, type S3Failure } from "./s3-failure.ts";
import { headObject } from "./s3-head.ts";
import { placeOf } from "./s3-location.ts";
import { readObject } from "./s3-read.ts";

const ATTEMPT = { verb: "write", action: "s3:PutObject" } as const;

/** Sent again as often as it takes: the last one to arrive wins, and all bring the same bytes. */
export async function putObject(calls: S3Calls, ports: RetryPorts, location: string, bytes: Uint8Array): Promise<void> {
  const place = placeOf(location);
  await withS3Errors({ ...ATTEMPT, location }, () =>
    withRetries(ports, adviseRetry, () => calls.put(place, bytes, { onlyIfAbsent: false, mark: null })),
  );
}

export interface PutConditions {
  /** May objects carry user metadata? */
  readonly canMark: boolean;
  /** Where the store refuses conditions, look and then write without: safe only for names that nobody else can take. */
  readonly canDoWithout: boolean;
  /** The store has refused conditions, and takes the same writes without; kept from one call to the next. */
  areRefused: boolean;
}

/**
 * The object carries a random mark, so that after a lost answer our own object is known from another's, even of the
 * same bytes. Where objects carry no marks, an object of our bytes counts as ours, and only after an answer was lost.
 */
export async function putObjectIfAbsent(
  calls: S3Calls,
  ports: RetryPorts,
  location: string,
  bytes: Uint8Array,
  conditions: PutConditions,
): Promise<PutResult> {
  const place = placeOf(location);
  const mark = conditions.canMark ? randomUUID() : null;
  let mayHaveLanded = false;
  const withoutCondition = async (): Promise<PutResult> => {
    const found = await whoseObject(calls, ports, location, { bytes, mark, mayHaveLanded, isTaken: false });
    if (found !== "nobody's") return found === "ours" ? "written" : "exists";
    await withS3Errors({ ...ATTEMPT, location }, () =>
      withRetries(ports, adviseRetry, () => calls.put(place, bytes, { onlyIfAbsent: false, mark })),
    );
    conditions.areRefused = true;
    return "written";
  };
  if (conditions.areRefused) return await withoutCondition();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await calls.put(place, bytes, { onlyIfAbsent: true, mark });
      return "written";
    } catch (error) {
      const advice = adviseRetry(error);
      const failure = error instanceof ToolError ? null : readFailure(error);
      const isTaken = failure?.case === "exists";
      if (conditions.canDoWithout && failure !== null && mayRefuseConditions(failure)) return await withoutCondition();
      if (!isTaken && advice === null) throw s3ToolError({ ...ATTEMPT, location }, error);
      if (failure?.case === "unclear" || failure?.case === "throttled") mayHaveLanded = true;
      if (advice !== null) await ports.wait(pauseMs(attempt, advice, ports.random()));
      const found = await whoseObject(calls, ports, location, { bytes, mark, mayHaveLanded, isTaken });
      if (found === "ours") return "written";
      if (found === "another's") return "exists";
      // Taken a moment ago and gone now counts as any other answer that asks to try again.
      if (attempt >= ATTEMPTS) throw s3ToolError({ ...ATTEMPT, location }, error);
    }
  }
}

/** Stores differ in how they say it; what they refuse for another reason, they refuse again without the condition. */
function mayRefuseConditions({ case: what, status }: S3Failure): boolean {
  return what === "refused" && (status === 400 || status === 405 || status === 501);
}

interface Written {
  readonly bytes: Uint8Array;
  readonly mark: string | null;
  readonly mayHaveLanded: boolean;
  /** S3 has said that the name is taken. */
  readonly isTaken: boolean;
}

async function whoseObject(
  calls: S3Calls,
  ports: RetryPorts,
  location: string,
  written: Written,
): Promise<"ours" | "another's" | "nobody's"> {
  try {
    const found = await headObject(calls, ports, location, "write");
    if (found === null) return "nobody's";
    if (written.mark !== null) return found.mark === written.mark ? "ours" : "another's";
    if (!written.mayHaveLanded || found.sizeBytes !== written.bytes.length) return "another's";
    return Buffer.compare(await readObject(calls, ports, location), written.bytes) === 0 ? "ours" : "another's";
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.kind === "not-found") return "nobody's";
    // Without s3:ListBucket an object that is not there looks forbidden: the next write tells whether it is.
    if (error.kind === "auth" && !written.isTaken) return "nobody's";
    throw error;
  }
}
