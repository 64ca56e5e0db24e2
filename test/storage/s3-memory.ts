// A program of its own, started by s3-writer.test.ts: copies `s3://data/source` to `s3://data/target` as a conversion
// does, and prints by how much its memory grew at most. The store is where the standard variables say.
import { openStore } from "../../src/storage/open-store.ts";

process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

const store = openStore("s3://data/source");
const source = await store.head("s3://data/source");
if (source === null) throw new Error("There is no source");
const before = process.memoryUsage.rss();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 2);
const writer = await store.create("s3://data/target");
await writer.copyFrom("s3://data/source", 0, source.sizeBytes);
await writer.close();
clearInterval(watch);
console.log(JSON.stringify({ grownBytes: most - before, seconds: performance.now() / 1000 }));
