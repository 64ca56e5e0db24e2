// Reads objects of S3, whole and by exact ranges. An answer that breaks off in the middle is asked for again; a
// stream goes on where it broke, on the same state of the object. Knows nothing of what the bytes mean.
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import { type RetryPorts, withRetries } from "./aws-retry.ts";
import type { S3Body, S3Calls } from "./s3-calls.ts";
import { withS3Errors } from "./s3-errors.ts";
import { adviseRetry, readFailure } from "./s3-failure.ts";
import { headObject } from "./s3-head.ts";
import { placeOf, type S3Place } from "./s3-location.ts";

const ACTION = "s3:GetObject";

export async function readObject(calls: S3Calls, ports: RetryPorts, location: string): Promise<Uint8Array> {
  const place = placeOf(location);
  return await withS3Errors({ verb: "read", location, action: ACTION }, () =>
    withRetries(ports, adviseRetry, async () => {
      const answer = await calls.get(place, { range: null, ifMatch: null });
      return await collect(answer, answer.lengthBytes, location);
    }),
  );
}

/** The range in one piece. */
export async function readObjectRange(
  calls: S3Calls,
  ports: RetryPorts,
  location: string,
  offset: number,
  lengthBytes: number,
): Promise<Uint8Array> {
  const place = checkedPlace(location, offset, lengthBytes);
  if (lengthBytes === 0) return await emptyRange(calls, ports, location, offset);
  return await withS3Errors({ verb: "read", location, action: ACTION }, () =>
    withRetries(ports, adviseRetry, async () =>
      collect(await rangeAnswer(calls, place, location, { offset, lengthBytes, ifMatch: null }), lengthBytes, location),
    ),
  );
}

/** The range in pieces as they come, each taken before the next is awaited. What `take` throws ends it. */
export async function streamObjectRange(
  calls: S3Calls,
  ports: RetryPorts,
  location: string,
  range: { readonly offset: number; readonly lengthBytes: number },
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const place = checkedPlace(location, range.offset, range.lengthBytes);
  if (range.lengthBytes === 0) {
    await emptyRange(calls, ports, location, range.offset);
    return;
  }
  let done = 0;
  let etag: string | null = null;
  const stretch = async (): Promise<void> => {
    const rest = { offset: range.offset + done, lengthBytes: range.lengthBytes - done, ifMatch: done === 0 ? null : etag };
    const answer = await rangeAnswer(calls, place, location, rest);
    etag = answer.etag;
    for await (const chunk of answer.chunks) {
      if (chunk.length > range.lengthBytes - done) throw wrongLength(range.lengthBytes);
      await take(chunk);
      done += chunk.length;
    }
    if (done < range.lengthBytes) throw wrongLength(range.lengthBytes);
  };
  await withS3Errors({ verb: "read", location, action: ACTION }, () => withRetries(ports, adviseRetry, stretch, () => done));
}

interface RangeRequest {
  readonly offset: number;
  readonly lengthBytes: number;
  readonly ifMatch: string | null;
}

/** An answer that holds exactly the range, or a ToolError that says how long the object is. */
async function rangeAnswer(calls: S3Calls, place: S3Place, location: string, request: RangeRequest): Promise<S3Body> {
  const { offset, lengthBytes, ifMatch } = request;
  try {
    const answer = await calls.get(place, { range: { offset, lengthBytes }, ifMatch });
    if (offset + lengthBytes <= answer.totalBytes && answer.lengthBytes === lengthBytes) return answer;
    answer.leave();
    throw offset + lengthBytes <= answer.totalBytes
      ? noRanges(location)
      : shortObject(location, offset, lengthBytes, answer.totalBytes);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const failure = readFailure(error);
    if (failure.status === 416) throw shortObject(location, offset, lengthBytes, null);
    if (failure.case === "exists") throw changed(location);
    throw error;
  }
}

/** No more is set aside at once: the length is what the answer claims. */
const AT_ONCE_BYTES = 64 << 20;

async function collect(answer: S3Body, lengthBytes: number, location: string): Promise<Uint8Array> {
  let bytes = new Uint8Array(Math.min(lengthBytes, AT_ONCE_BYTES));
  let done = 0;
  for await (const chunk of answer.chunks) {
    const next = done + chunk.length;
    if (next > lengthBytes) throw wrongLength(lengthBytes);
    if (next > bytes.length) bytes = grown(bytes, Math.min(lengthBytes, Math.max(next, 2 * bytes.length)), location);
    bytes.set(chunk, done);
    done = next;
  }
  if (done < lengthBytes) throw wrongLength(lengthBytes);
  return bytes;
}

function grown(bytes: Uint8Array, lengthBytes: number, location: string): Uint8Array<ArrayBuffer> {
  try {
    const larger = new Uint8Array(lengthBytes);
    larger.set(bytes);
    return larger;
  } catch (error) {
    throw new ToolError("unsupported", `Cannot read "${location}"`, {
      why: `More than ${bytes.length} bytes have come, which is all that this process can hold`,
      cause: error,
    });
  }
}

/** S3 has no empty ranges: whether the offset lies in the object is told by its size. */
async function emptyRange(calls: S3Calls, ports: RetryPorts, location: string, offset: number): Promise<Uint8Array> {
  const found = await headObject(calls, ports, location, "read");
  if (found === null) throw new ToolError("not-found", `Cannot read "${location}"`, { why: "Nothing has this name" });
  if (offset > found.sizeBytes) throw shortObject(location, offset, 0, found.sizeBytes);
  return new Uint8Array();
}

function checkedPlace(location: string, offset: number, lengthBytes: number): S3Place {
  const isRange = Number.isSafeInteger(offset) && Number.isSafeInteger(lengthBytes) && offset >= 0 && lengthBytes >= 0;
  if (!isRange) throw bug("A range of an object must be two whole numbers from 0", { location, offset, lengthBytes });
  return placeOf(location);
}

/** Not a ToolError: the same call may well give the whole the next time. */
function wrongLength(wanted: number): Error {
  return new Error(`the answer does not hold the ${wanted} bytes that it promises`);
}

function shortObject(location: string, offset: number, wanted: number, sizeBytes: number | null): ToolError {
  return new ToolError("corrupt", `Cannot read "${location}"`, {
    why: `${wanted} bytes were asked for from offset ${offset}, and the object ${sizeBytes === null ? "ends before that" : `has ${sizeBytes}`}: it is shorter than it must be.`,
    context: { offset, wanted, ...(sizeBytes === null ? {} : { size: sizeBytes }) },
  });
}

function changed(location: string): ToolError {
  return new ToolError("corrupt", `Cannot read "${location}"`, {
    why: "The object was overwritten while it was read",
    mend: "Find out what overwrites this file: the files of a table are written once and never changed",
  });
}

function noRanges(location: string): ToolError {
  return new ToolError("unsupported", `Cannot read a part of "${location}"`, {
    why: "The store gives the whole object where a range is asked for",
  });
}
