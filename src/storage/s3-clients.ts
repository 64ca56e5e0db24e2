// Which client a call to a bucket goes through: one a region, and S3's word on where a bucket is remembered, so that
// the detour is made once. Credentials that S3 calls expired are renewed once, where their source can. Knows no SDK.
import { type KeyHolder, withFreshKeys } from "./aws-keys.ts";
import { type S3Failure, readFailure } from "./s3-failure.ts";
import { ToolError } from "../diagnostics/tool-error.ts";

export type RunInBucket<Client> = <T>(bucket: string, run: (client: Client) => Promise<T>) => Promise<T>;

/** A bucket sent elsewhere more often than this is sent in a circle. */
const MOST_MOVES = 3;

/** `open` is called once a region; null: that of the environment. */
export function regionalCalls<Client extends KeyHolder>(open: (region: string | null) => Client): RunInBucket<Client> {
  const opened = new Map<string | null, Client>();
  const places = new Map<string, string>();

  const clientOf = (region: string | null): Client => {
    const known = opened.get(region);
    if (known !== undefined) return known;
    const client = open(region);
    opened.set(region, client);
    return client;
  };

  return async (bucket, run) => {
    for (let moves = 0; ; ) {
      const used = places.get(bucket) ?? null;
      const client = clientOf(used);
      try {
        return await withFreshKeys(client, () => run(client), isExpired);
      } catch (error) {
        const failure = failureOf(error);
        if (failure?.case === "elsewhere" && failure.region !== null && failure.region !== used && moves < MOST_MOVES) {
          moves += 1;
          places.set(bucket, failure.region);
        } else {
          throw error;
        }
      }
    }
  };
}

function isExpired(error: unknown): boolean {
  return failureOf(error)?.case === "expired";
}

function failureOf(error: unknown): S3Failure | null {
  return error instanceof ToolError ? null : readFailure(error);
}
