// Objects that anybody may read are read without keys, where that is asked for, and nothing is signed then.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createS3Store } from "../../src/storage/s3.ts";
import { FAKE_KEYS, type FakeS3, startS3 } from "../fakes/s3.ts";

const AT = "s3://open/data/a";
let s3: FakeS3;

beforeEach(async () => {
  s3 = await startS3({ buckets: { open: { isPublic: true }, closed: {} } });
  s3.objects.put(AT, "rows");
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"]) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_CONFIG_FILE", "/nonexistent/config");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/credentials");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
});

const place = () => ({ endpoint: s3.url, region: "us-east-1" });
const signed = (): readonly boolean[] => s3.calls.map(({ request }) => request.headers["authorization"] !== undefined);

describe("an object of a public bucket", () => {
  it("is read without keys, whole and in part", async () => {
    const store = createS3Store({ ...place(), anonymous: true });
    expect(new TextDecoder().decode(await store.read(AT))).toBe("rows");
    expect(new TextDecoder().decode(await store.readRange(AT, 1, 2))).toBe("ow");
    expect(await store.head(AT)).toMatchObject({ sizeBytes: 4 });
    expect(signed()).toEqual([false, false, false]);
  });

  it.each([
    ["AWS_NO_SIGN_REQUEST", "YES"],
    ["AWS_SKIP_SIGNATURE", "true"],
  ])("is read without keys by %s", async (name, value) => {
    vi.stubEnv(name, value);
    expect(new TextDecoder().decode(await createS3Store(place()).read(AT))).toBe("rows");
    expect(signed()).toEqual([false]);
  });

  it("is read by keys where some are given for it, whatever the environment says", async () => {
    vi.stubEnv("AWS_NO_SIGN_REQUEST", "true");
    await createS3Store({ ...place(), credentials: FAKE_KEYS }).read(AT);
    expect(signed()).toEqual([true]);
  });

  it("is not to be had without keys where nobody asks for that", async () => {
    await expect(createS3Store(place()).read(AT)).rejects.toMatchObject({ kind: "auth" });
    expect(s3.calls).toEqual([]);
  });
});

it("says that a store denies what is not public, and what to do", async () => {
  const store = createS3Store({ ...place(), anonymous: true });
  await expect(store.read("s3://closed/a")).rejects.toMatchObject({ kind: "auth" });
  await expect(store.putIfAbsent("s3://open/b", new Uint8Array(1))).rejects.toMatchObject({ kind: "auth" });
  expect(s3.objects.get("s3://open/b")).toBeUndefined();
});
