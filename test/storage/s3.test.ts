// The S3 store keeps the promises of every store, against the strict fake.
import { createS3Store } from "../../src/storage/s3.ts";
import { storeConformance } from "../conformance/store-suite.ts";
import { FAKE_KEYS, startS3 } from "../fakes/s3.ts";

process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

storeConformance("S3", async () => {
  const s3 = await startS3({ buckets: ["data"] });
  const store = createS3Store({ endpoint: s3.url, region: "us-east-1", credentials: FAKE_KEYS });
  return { store, root: "s3://data/root", cleanUp: s3.stop };
});
