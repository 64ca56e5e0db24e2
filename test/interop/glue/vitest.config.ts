// The catalog suite on real servers: run by run.ts only, never with the hermetic tests.
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: resolve(import.meta.dirname, "../../.."),
  test: { include: ["test/interop/glue/*.test.ts"], testTimeout: 120_000, fileParallelism: false },
});
