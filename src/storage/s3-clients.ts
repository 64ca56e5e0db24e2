// Which client a call to a bucket goes through: one a region, and S3's word on where a bucket is remembered, so that
// the detour is made once. Credentials that S3 calls expired are renewed once, where their source can. Knows no SDK.
import { type S3Failure, readFailure } from "./s3-failure.ts";
import { ToolError } from "../diagnostics/tool-error.ts";

export interface RegionalClients<Client> {
  /** Null: the region of the environment. Called once a region. */
  readonly open: (region: string | null) => Client;
  /** Asks the source for other credentials; false when it has none. */
  readonly renew: (client: Client) => Promise<boolean>;
}

export type RunInBucket<Client> = <T>(bucket: string, run: (client: Client) => Promise<T>) => Promise<T>;

/** A bucket sent elsewhere more often than this is sent in a circle. */
const MOST_MOVES = 3;

export function regionalCalls<Client>(clients: RegionalClients<Client>): RunInBucket<Client> {
  const opened = new Map<string | null, Client>();
  const places = new Map<string, string>();
  let renewals = 0;
  let renewing: Promise<boolean> | null = null;

  const clientOf = (region: string | null): Client => {
    const known = opened.get(region);
    if (known !== undefined) return known;
    const client = clients.open(region);
    opened.set(region, client);
    return client;
  };
  /** One renewal for all calls that failed of the same credentials. */
  const renewSince = async (client: Client, seen: number): Promise<boolean> => {
    if (renewals > seen) return true;
    renewing ??= clients.renew(client).finally(() => {
      renewals += 1;
      renewing = null;
    });
    return await renewing;
  };

  return async (bucket, run) => {
    let hasRenewed = false;
    for (let moves = 0; ; ) {
      const seen = renewals;
      const used = places.get(bucket) ?? null;
      const client = clientOf(used);
      try {
        return await run(client);
      } catch (error) {
        const failure = failureOf(error);
        if (failure?.case === "elsewhere" && failure.region !== null && failure.region !== used && moves < MOST_MOVES) {
          moves += 1;
          places.set(bucket, failure.region);
        } else if (failure?.case === "expired" && !hasRenewed && (await renewSince(client, seen))) {
          hasRenewed = true;
        } else {
          throw error;
        }
      }
    }
  };
}

function failureOf(error: unknown): S3Failure | null {
  return error instanceof ToolError ? null : readFailure(error);
}
