import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      { find: /^fast-check$/, replacement: resolve(import.meta.dirname, "test/seeded-fast-check.ts") },
      { find: /^@bokuweb\/zstd-wasm$/, replacement: resolve(import.meta.dirname, "test/zstd-once.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/interop/**", "node_modules/**"],
    globalSetup: ["test/build-once.ts"],
    testTimeout: 120_000,
    pool: "forks",
    // Packages and our own modules are loaded once for a worker.
    isolate: false,
    // A test that looks at nothing proves nothing.
    expect: { requireAssertions: true },
    // Some of the time is waiting: for Git, for the program, for a timer. More workers load all that they test once more.
    maxWorkers: availableParallelism() + 1,
  },
});
