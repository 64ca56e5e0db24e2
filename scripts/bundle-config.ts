// How src/ becomes dist/. Chunk names carry hashes, so dist/ is emptied before a build (scripts/build.ts).
// mainFields: the AWS SDK's ES modules can be tree-shaken, its CommonJS build cannot.
import type { InputOptions, OutputOptions } from "rolldown";
import { inlineZstd } from "./inline-zstd.ts";

export const bundleInput: InputOptions = {
  input: { index: "src/cli/bin.ts", action: "src/action/bin.ts" },
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  plugins: [inlineZstd()],
  treeshake: {
    // @actions/core speaks HTTP for what is not used here. Nothing of these packages works by being loaded; without the
    // word of it the bundler would keep undici, the larger part of all that a job would load.
    moduleSideEffects: [{ test: /node_modules\/(?:@actions\/|undici\/|tunnel\/)/, sideEffects: false }],
  },
};

export const bundleOutput: OutputOptions = {
  dir: "dist",
  format: "esm",
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
};
