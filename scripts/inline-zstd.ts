// A bundler plugin: puts the WebAssembly of the zstd codec into the bundle, packed, where the package would
// read a file beside itself. Without it dist/ would need that file. Deterministic: fflate packs, not zlib.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { zlibSync } from "fflate";
import type { Plugin } from "rolldown";

const MODULE = /@bokuweb\/zstd-wasm\/dist\/common\/index\.node\.js$/;
/** The lines of the package that read its file, from `require` to the buffer. */
const READING = /const \{ readFile \} = require\('fs\/promises'\);[\s\S]*?const buf = [^;]*;/;

export function inlineZstd(): Plugin {
  return {
    name: "inline-zstd",
    transform: {
      filter: { id: MODULE },
      handler: async (code, id) => {
        if (!READING.test(code))
          throw new Error("@bokuweb/zstd-wasm loads its module in another way now: mend scripts/inline-zstd.ts");
        const packed = zlibSync(await readFile(join(dirname(id), "zstd.wasm")), { level: 9 });
        const text = Buffer.from(packed).toString("base64");
        return code.replace(READING, () => `const buf = require("node:zlib").inflateSync(Buffer.from("${text}", "base64"));`);
      },
    },
  };
}
