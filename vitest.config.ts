import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/interop/**", "node_modules/**"],
    globalSetup: ["test/build-once.ts"],
    testTimeout: 60_000,
    pool: "threads",
  },
});
