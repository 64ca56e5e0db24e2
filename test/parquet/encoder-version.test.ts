// The bytes of rewritten files under this encoder version. When a hash changes, so must ENCODER_VERSION: names
// of finished files are derived from it, and two machines must never write other bytes under one name.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ENCODER_VERSION } from "../../src/parquet/rewrite-file.ts";
import { CONVERSIONS, DATE, load, toDays, written } from "./support.ts";

describe("the encoder", () => {
  it.each([
    ["dictionary-v1-snappy.parquet", "days", "H0"],
    ["plain-v1-gzip.parquet", "integer", "H1"],
    ["plain-v2-none.parquet", "number", "H2"],
    ["mixed-v1-zstd.parquet", "long", "H3"],
    ["delta-v2-lz4.parquet", "integer", "H4"],
    ["delta-length-v1-brotli.parquet", "days", "H5"],
  ])("of version 1 writes the same bytes for %s on every machine", async (file, conversion, wanted) => {
    expect(ENCODER_VERSION).toBe(1);
    const { bytes } = await written(load(file), "value", CONVERSIONS[conversion] ?? { target: DATE, convert: toDays });
    expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16)).toBe(wanted);
  });
});
