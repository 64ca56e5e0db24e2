// Zstandard for all tests: our modules are loaded anew for each file of a worker and start it anew, its own module stays
// in the process and bears one start.
import zstd from "../node_modules/@bokuweb/zstd-wasm/dist/common/index.node.js";

const worker = globalThis as { floeplanZstd?: Promise<void> };

export const init = async (): Promise<void> => await (worker.floeplanZstd ??= zstd.init());
export const { compress, decompress } = zstd;
