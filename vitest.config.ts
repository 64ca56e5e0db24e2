import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: [{ find: /^fast-check$/, replacement: resolve(import.meta.dirname, "test/seeded-fast-check.ts") }] },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/interop/**", "node_modules/**"],
    globalSetup: ["test/build-once.ts"],
    testTimeout: 60_000,
    pool: "threads",
    // The default leaves one free, which is half of a machine with two.
    maxWorkers: availableParallelism(),
  },
});
