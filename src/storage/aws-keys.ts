// Credentials of AWS as data, and a source of them that is asked only when they are about to expire. Knows neither
// the SDK nor where they come from.

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Without it they hold for good. */
  readonly expiration?: Date;
}

/** Gives credentials; with `forceRefresh` not the ones it gave before, if it can help it. */
export type AwsKeySource = (options?: { readonly forceRefresh?: boolean }) => Promise<AwsKeys>;

/** Renewed so long before their end, or in the last tenth of a shorter life. */
const EARLY_MS = 5 * 60_000;

/** One source for many clients: asked once by all who wait, and again when the time comes. */
export function sharedKeys(source: AwsKeySource, nowMs: () => number = Date.now): AwsKeySource {
  let held: { readonly keys: AwsKeys; readonly sinceMs: number } | null = null;
  let asking: Promise<AwsKeys> | null = null;
  const ask = (forceRefresh: boolean): Promise<AwsKeys> => {
    asking ??= source({ forceRefresh })
      .then((keys) => {
        held = { keys, sinceMs: nowMs() };
        return keys;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  return async (options) => {
    if (held === null || options?.forceRefresh === true) return await ask(options?.forceRefresh === true);
    const { keys, sinceMs } = held;
    const endMs = keys.expiration?.getTime();
    if (endMs === undefined || nowMs() < endMs - Math.min(EARLY_MS, (endMs - sinceMs) / 10)) return keys;
    return await ask(false);
  };
}

/** A client of a service, as far as its credentials go. */
export interface KeyHolder {
  readonly config: { readonly credentials: AwsKeySource };
}

/**
 * Runs a call, and once more where its credentials were over, and the source has others: a service that says so has done
 * nothing.
 */
export async function withFreshKeys<T>(
  { config }: KeyHolder,
  call: () => Promise<T>,
  isOver: (error: unknown) => boolean = saysOver,
): Promise<T> {
  const used = await config.credentials();
  try {
    return await call();
  } catch (error) {
    if (!isOver(error)) throw error;
    // Calls beside this one may have renewed them already.
    const now = await config.credentials();
    const others = isSame(now, used) ? await config.credentials({ forceRefresh: true }) : now;
    if (isSame(others, used)) throw error;
    return await call();
  }
}

const OVER: ReadonlySet<string> = new Set(["ExpiredToken", "ExpiredTokenException"]);

function saysOver(error: unknown): boolean {
  return error instanceof Error && OVER.has(error.name);
}

function isSame(one: AwsKeys, other: AwsKeys): boolean {
  return one.accessKeyId === other.accessKeyId && one.sessionToken === other.sessionToken;
}
