// The bytes of rewritten files under this encoder version. When a hash changes, so must ENCODER_VERSION: names
// of finished files are derived from it, and two machines must never write other bytes under one name.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ENCODER_VERSION } from "../../src/parquet/rewrite-file.ts";
import { CONVERSIONS, DATE, load, toDays, written } from "./support.ts";

describe("the encoder", () => {
  it.each([
    ["dictionary-v1-snappy.parquet", "days", "a3d4796be3c809c9"],
    ["plain-v1-gzip.parquet", "integer", "2d2bcb19db6cb3c9"],
    ["plain-v2-none.parquet", "number", "31adc6f5949eb4bf"],
    ["mixed-v1-zstd.parquet", "long", "eedd889d7d89159d"],
    ["delta-v2-lz4.parquet", "integer", "cb376dc8e32464e3"],
    ["delta-length-v1-brotli.parquet", "days", "39515b51f06483a1"],
  ])("of version 1 writes the same bytes for %s on every machine", async (file, conversion, wanted) => {
    expect(ENCODER_VERSION).toBe(1);
    const { bytes } = await written(load(file), "value", CONVERSIONS[conversion] ?? { target: DATE, convert: toDays });
    expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16)).toBe(wanted);
  });
});
