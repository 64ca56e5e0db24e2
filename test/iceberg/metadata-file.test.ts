// Names of metadata files as the standard catalogs give and read them.
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  hadoopMetadataName,
  hadoopMetadataNames,
  hasGzipName,
  metadataCodec,
  metadataFolder,
  nextMetadataLocation,
  packMetadataFile,
  parseHadoopVersion,
  parseMetadataVersion,
  stripTrailingSlashes,
  unpackMetadataFile,
} from "../../src/iceberg/metadata-file.ts";
import { readFile } from "./metadata-support.ts";

const UUID = "3b241101-e2bb-4255-8caf-4136c566a962";
const base = readFile("v3-minimal.metadata.json");
const withProperties = (properties: Record<string, string>) => ({ ...base, properties });

describe("nextMetadataLocation", () => {
  it("counts on from the current file's version, in five digits", () => {
    expect(nextMetadataLocation(base, null, UUID)).toBe(`s3://bucket/test/location/metadata/00000-${UUID}.metadata.json`);
    expect(nextMetadataLocation(base, "s3://x/00012-abc.metadata.json", UUID)).toMatch(/\/00013-[-0-9a-f]+\.metadata\.json$/);
    expect(nextMetadataLocation(base, "s3://x/99999-abc.metadata.json", UUID)).toMatch(/\/100000-/);
  });

  it("starts again where the current name has no version", () => {
    for (const name of ["s3://x/v7.metadata.json", "s3://x/abc-1.metadata.json", "s3://x/-1.metadata.json"]) {
      expect(nextMetadataLocation(base, name, UUID)).toMatch(/\/00000-/);
    }
  });

  it("goes where the table keeps its metadata files", () => {
    expect(nextMetadataLocation(withProperties({ "write.metadata.path": "s3://meta/t/" }), null, UUID)).toBe(
      `s3://meta/t/00000-${UUID}.metadata.json`,
    );
    expect(metadataFolder(withProperties({ "write.metadata.path": "" }))).toBe("s3://bucket/test/location/metadata");
  });

  it("says gzip where the table asks for it and the caller does not say otherwise", () => {
    const packed = withProperties({ "write.metadata.compression-codec": "GZIP" });
    expect(nextMetadataLocation(packed, null, UUID)).toMatch(/\.gz\.metadata\.json$/);
    expect(nextMetadataLocation(packed, null, UUID, "none")).not.toContain(".gz");
    expect(() => metadataCodec(withProperties({ "write.metadata.compression-codec": "zstd" }))).toThrow(
      expect.objectContaining({ kind: "unsupported" }),
    );
  });
});

describe("names", () => {
  it("tell the version in both layouts", () => {
    expect(parseMetadataVersion("s3://b/t/metadata/00003-a-b.metadata.json")).toBe(3);
    expect(parseMetadataVersion("00003.metadata.json")).toBeNull();
    expect(parseMetadataVersion("99999999999-x.metadata.json")).toBeNull();
    expect(["v3.metadata.json", "/x/v3.gz.metadata.json", "v3.metadata.json.gz"].map(parseHadoopVersion)).toEqual([3, 3, 3]);
    expect(
      ["v.metadata.json", "v3.json", "xv3.metadata.json", "v-1.metadata.json", "version-hint.text"].map(parseHadoopVersion),
    ).toEqual([null, null, null, null, null]);
  });

  it("of the Hadoop layout are those that the standard writers use", () => {
    expect(hadoopMetadataName(12)).toBe("v12.metadata.json");
    expect(hadoopMetadataName(12, "gzip")).toBe("v12.gz.metadata.json");
    expect(hadoopMetadataNames(1)).toEqual(["v1.metadata.json", "v1.gz.metadata.json", "v1.metadata.json.gz"]);
  });

  it("lose trailing slashes, but not those of a bare scheme", () => {
    expect(["s3://b/t//", "s3://b", "s3://", "file:///", "/", "/a/"].map(stripTrailingSlashes)).toEqual([
      "s3://b/t",
      "s3://b",
      "s3://",
      "file://",
      "",
      "/a",
    ]);
  });
});

describe("packing", () => {
  it("follows the name", () => {
    const document = new TextEncoder().encode('{"a":1}');
    expect(packMetadataFile(document, "v1.metadata.json")).toBe(document);
    const packed = packMetadataFile(document, "v1.gz.metadata.json");
    expect(gunzipSync(packed).toString()).toBe('{"a":1}');
    expect([...unpackMetadataFile(packed, "v1.gz.metadata.json")]).toEqual([...document]);
    expect(hasGzipName("s3://b/v1.metadata.json.gz") && hasGzipName("s3://b/v1.gz.metadata.json")).toBe(true);
    expect(hasGzipName("s3://b.gz/v1.metadata.json")).toBe(false);
  });
});
