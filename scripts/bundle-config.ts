// How src/ becomes dist/. Chunk names carry hashes, so dist/ is emptied before a build (scripts/build.ts).
// mainFields: the AWS SDK's ES modules can be tree-shaken, its CommonJS build cannot.
import type { InputOptions, OutputOptions } from "rolldown";
import { inlineZstd } from "./inline-zstd.ts";

export const bundleInput: InputOptions = {
  input: { index: "src/cli/bin.ts", action: "src/action/bin.ts" },
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  plugins: [inlineZstd()],
};

export const bundleOutput: OutputOptions = {
  dir: "dist",
  format: "esm",
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
};
