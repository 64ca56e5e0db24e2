// For the conformance suite alone: it is no part of the hermetic tests, and needs no build.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/interop/s3-tables/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000, pool: "threads" },
});
