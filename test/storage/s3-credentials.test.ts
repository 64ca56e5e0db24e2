// Credentials come from where the standard chain says, or from a role; they are asked for once, and again in time.
import { createServer } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { awsCredentials } from "../../src/storage/aws-credentials.ts";
import { type AwsKeys, sharedKeys } from "../../src/storage/aws-keys.ts";
import { ATTEMPTS, pauseMs, withRetries } from "../../src/storage/aws-retry.ts";
import { configuredEndpoint, wantsPathStyle } from "../../src/storage/s3-endpoint.ts";
import "./s3-support.ts";

const KEYS: AwsKeys = { accessKeyId: "A", secretAccessKey: "S" };

describe("a shared source of keys", () => {
  const source = (
    lifeMs: number | null,
  ): { readonly ask: ReturnType<typeof sharedKeys>; readonly clock: { now: number }; readonly asked: () => number } => {
    const clock = { now: 0 };
    let asked = 0;
    const ask = sharedKeys(
      async () => {
        asked += 1;
        await Promise.resolve();
        return { ...KEYS, ...(lifeMs === null ? {} : { expiration: new Date(clock.now + lifeMs) }) };
      },
      () => clock.now,
    );
    return { ask, clock, asked: () => asked };
  };

  it("is asked once by all who wait", async () => {
    const { ask, asked } = source(null);
    await Promise.all(Array.from({ length: 10 }, () => ask()));
    await ask();
    expect(asked()).toBe(1);
  });

  it.each([
    [3_600_000, 3_300_000],
    [60_000, 54_000],
  ])("that gives keys for %i ms is asked again after %i", async (lifeMs, againMs) => {
    const { ask, clock, asked } = source(lifeMs);
    await ask();
    clock.now = againMs - 1;
    await ask();
    expect(asked()).toBe(1);
    clock.now = againMs;
    await ask();
    expect(asked()).toBe(2);
  });

  it("is asked again on demand, and after a failure", async () => {
    const { ask, asked } = source(null);
    await ask();
    await ask({ forceRefresh: true });
    expect(asked()).toBe(2);
    let isBroken = true;
    const other = sharedKeys(async () => {
      if (isBroken) throw new Error("no");
      return KEYS;
    });
    await expect(other()).rejects.toThrow("no");
    isBroken = false;
    expect(await other()).toBe(KEYS);
  });
});

describe("the standard chain", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("takes the standard variables", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAVARIABLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_SESSION_TOKEN", "token");
    expect(await awsCredentials()()).toMatchObject({ accessKeyId: "AKIAVARIABLE", sessionToken: "token" });
  });

  it("takes a profile of the configuration files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "floeplan-aws-"));
    await writeFile(join(folder, "credentials"), "[team]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = secret\n");
    await writeFile(join(folder, "config"), "");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "credentials"));
    vi.stubEnv("AWS_CONFIG_FILE", join(folder, "config"));
    expect((await awsCredentials({ profile: "team" })()).accessKeyId).toBe("AKIAPROFILE");
    await rm(folder, { recursive: true });
  });
});

describe("a role", () => {
  afterEach(() => vi.unstubAllEnvs());

  /** STS as far as two calls go; answers with keys that name the call. */
  const sts = async (): Promise<{
    readonly url: string;
    readonly asked: readonly URLSearchParams[];
    readonly stop: () => void;
  }> => {
    const asked: URLSearchParams[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const form = new URLSearchParams(body);
        asked.push(form);
        const action = form.get("Action") ?? "";
        const keys = `<AccessKeyId>ASIA${action}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>`;
        const end = new Date(Date.now() + 3_600_000).toISOString();
        response.setHeader("content-type", "text/xml");
        response.end(
          `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>${keys}` +
            `<Expiration>${end}</Expiration></Credentials></${action}Result></${action}Response>`,
        );
      });
    });
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    const address = server.address();
    const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
    vi.stubEnv("AWS_ENDPOINT_URL_STS", url);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIABASE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_SESSION_TOKEN", undefined);
    vi.stubEnv("AWS_REGION", "eu-west-1");
    return {
      url,
      asked,
      stop: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };

  it("is assumed by the standard chain, once for its life", async () => {
    const { asked, stop } = await sts();
    const keys = awsCredentials({
      region: "eu-west-1",
      role: { arn: "arn:aws:iam::1:role/apply", externalId: "id-7", durationSeconds: 900 },
    });
    expect((await keys()).accessKeyId).toBe("ASIAAssumeRole");
    expect((await keys()).sessionToken).toBe("t");
    expect(
      asked.map((form) => [
        form.get("RoleArn"),
        form.get("RoleSessionName"),
        form.get("ExternalId"),
        form.get("DurationSeconds"),
      ]),
    ).toEqual([["arn:aws:iam::1:role/apply", "floeplan", "id-7", "900"]]);
    stop();
  });

  it("is assumed for a token of an identity provider, fetched anew each time", async () => {
    const { asked, stop } = await sts();
    let fetched = 0;
    const webToken = async (): Promise<string> => {
      fetched += 1;
      return `token-${fetched}`;
    };
    const keys = awsCredentials({ region: "eu-west-1", role: { arn: "arn:aws:iam::1:role/plan", webToken } });
    expect((await keys()).accessKeyId).toBe("ASIAAssumeRoleWithWebIdentity");
    await keys();
    await keys({ forceRefresh: true });
    expect(asked.map((form) => form.get("WebIdentityToken"))).toEqual(["token-1", "token-2"]);
    stop();
  });

  it("of the environment's web identity is taken by the standard chain", async () => {
    const { asked, stop } = await sts();
    const folder = await mkdtemp(join(tmpdir(), "floeplan-aws-"));
    await writeFile(join(folder, "token"), "from-file");
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", undefined);
    vi.stubEnv("AWS_CONFIG_FILE", join(folder, "none"));
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "none"));
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", join(folder, "token"));
    vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::1:role/web");
    expect((await awsCredentials()()).accessKeyId).toBe("ASIAAssumeRoleWithWebIdentity");
    expect(asked[0]?.get("WebIdentityToken")).toBe("from-file");
    await rm(folder, { recursive: true });
    stop();
  });
});

describe("a retry", () => {
  const ADVICE = { isThrottled: false, afterMs: null };

  it("waits longer each time, longest when throttled, and never shorter than it was told", () => {
    expect([1, 2, 3, 4, 5].map((attempt) => pauseMs(attempt, ADVICE, 1))).toEqual([100, 200, 400, 800, 1600]);
    expect([1, 2, 3, 4, 5].map((attempt) => pauseMs(attempt, { ...ADVICE, isThrottled: true }, 1))).toEqual([
      500, 1000, 2000, 4000, 8000,
    ]);
    expect(pauseMs(30, ADVICE, 1)).toBe(20_000);
    expect(pauseMs(1, { ...ADVICE, afterMs: 3000 }, 0.5)).toBe(3000);
    expect(pauseMs(1, { ...ADVICE, afterMs: 900_000 }, 0.5)).toBe(20_000);
    expect(pauseMs(3, ADVICE, 0)).toBe(0);
  });

  it("ends with the last error after its attempts, or with the first that cannot be helped", async () => {
    const waited: number[] = [];
    const ports = { wait: async (milliseconds: number) => void waited.push(milliseconds), random: () => 1 };
    let calls = 0;
    const failing = async (): Promise<never> => {
      calls += 1;
      throw new Error(`attempt ${calls}`);
    };
    await expect(withRetries(ports, () => ADVICE, failing)).rejects.toThrow(`attempt ${ATTEMPTS}`);
    expect(waited).toHaveLength(ATTEMPTS - 1);
    await expect(withRetries(ports, () => null, failing)).rejects.toThrow(`attempt ${ATTEMPTS + 1}`);
  });
});

describe("the bucket's place in a request", () => {
  it.each([
    [null, false],
    ["https://s3.eu-west-1.amazonaws.com", false],
    ["https://bucket.vpce-1-2.s3.eu-west-1.vpce.amazonaws.com", false],
    ["https://s3.cn-north-1.amazonaws.com.cn", false],
    ["https://s3.eusc-de-east-1.amazonaws.eu", false],
    ["http://127.0.0.1:9000", true],
    ["http://[::1]:9000", true],
    ["http://localhost:4566", true],
    ["http://minio:9000", true],
    ["https://storage.example.org", true],
    ["https://notamazonaws.com.example.org", true],
    ["nonsense", true],
  ])("at %s is the path: %s", (endpoint, isPath) => expect(wantsPathStyle(endpoint)).toBe(isPath));

  it("is decided by the endpoint that the SDK takes", () => {
    const variables = { AWS_ENDPOINT_URL: "http://all", AWS_ENDPOINT_URL_S3: "http://s3" };
    expect(configuredEndpoint("http://given", variables)).toBe("http://given");
    expect(configuredEndpoint(undefined, variables)).toBe("http://s3");
    expect(configuredEndpoint(undefined, { ...variables, AWS_ENDPOINT_URL_S3: "" })).toBe("http://all");
    expect(configuredEndpoint(undefined, { ...variables, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" })).toBeNull();
    expect(configuredEndpoint(undefined, {})).toBeNull();
  });
});
