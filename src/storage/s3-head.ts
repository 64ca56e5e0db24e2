// Looks at one object of S3. The answer to a HEAD has no body, so a refusal says nothing but its status: the first
// byte is then asked for, which is refused with the reason. Knows nothing of what the object is for.
import { type RetryPorts, withRetries } from "./aws-retry.ts";
import type { S3Calls, S3Head } from "./s3-calls.ts";
import { withS3Errors } from "./s3-errors.ts";
import { adviseRetry, readFailure } from "./s3-failure.ts";
import { placeOf, type S3Place } from "./s3-location.ts";

/** Null when nothing is there. `verb` is what it is looked at for. */
export async function headObject(calls: S3Calls, ports: RetryPorts, location: string, verb = "look at"): Promise<S3Head | null> {
  const place = placeOf(location);
  return await withS3Errors({ verb, location, action: "s3:GetObject" }, async () => {
    try {
      return await withRetries(ports, adviseRetry, () => calls.head(place));
    } catch (error) {
      const failure = readFailure(error);
      if (failure.case === "missing") return null;
      if (failure.case !== "wordless" && failure.case !== "elsewhere") throw error;
      return await headByFirstByte(calls, ports, place);
    }
  });
}

async function headByFirstByte(calls: S3Calls, ports: RetryPorts, place: S3Place): Promise<S3Head | null> {
  try {
    const answer = await withRetries(ports, adviseRetry, () =>
      calls.get(place, { range: { offset: 0, lengthBytes: 1 }, ifMatch: null }),
    );
    answer.leave();
    return { sizeBytes: answer.totalBytes, mark: answer.mark };
  } catch (error) {
    const failure = readFailure(error);
    if (failure.case === "missing") return null;
    // An empty object has no first byte.
    if (failure.status === 416) return { sizeBytes: 0, mark: null };
    throw error;
  }
}
