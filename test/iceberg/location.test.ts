// Which spellings of a location are one object. The rules are Hadoop's Path and the FileIOs of Iceberg Java and
// PyIceberg; the mixed spellings occur in tables that `add_files` and JdbcCatalog wrote.
import { describe, expect, it } from "vitest";
import {
  isWithin,
  joinLocation,
  lastPart,
  localPath,
  locationKey,
  locationScheme,
  parentLocation,
  sameLocation,
} from "../../src/iceberg/location.ts";
import { toolErrorOf } from "./manifest-support.ts";

describe("two locations", () => {
  it.each([
    ["/x/y", "file:/x/y"],
    ["/x/y", "file:///x/y"],
    ["file:/x/y", "FILE:///x/y"],
    ["/x/y", "file://localhost/x/y"],
    ["/x//y/", "/x/y"],
    ["/x/./z/../y", "/x/y"],
    ["/../x", "/x"],
    ["s3://b/k", "s3a://b/k"],
    ["s3n://b/k", "s3a://b/k"],
    ["S3://b/k", "s3://b/k"],
    ["s3://b/t/", "s3://b/t"],
    ["gs://b/t/", "gs://b/t"],
    ["hr/employees/", "hr/employees"],
  ])("%s and %s are one", (a, b) => {
    expect(sameLocation(a, b)).toBe(true);
    expect(locationKey(a)).toBe(locationKey(b));
  });

  it.each([
    // Nothing is percent-decoded: Hadoop and PyIceberg take the three characters as they are.
    ["/x/a%20b", "/x/a b"],
    ["s3://b/a%2Fb", "s3://b/a/b"],
    ["s3://b/k", "s3://c/k"],
    ["s3://b/k", "gs://b/k"],
    ["s3://B/k", "s3://b/k"],
    ["s3://b/a//k", "s3://b/a/k"],
    ["s3://b/a/../k", "s3://b/k"],
    ["s3://b/k", "s3://b/K"],
    ["/x", "/X"],
    ["file://host/x", "/x"],
    ["x", "/x"],
    ["hdfs://n/x", "/x"],
    ["s3://b/k?v=1", "s3://b/k"],
  ])("%s and %s are two", (a, b) => {
    expect(sameLocation(a, b)).toBe(false);
  });
});

describe("the path of a local location", () => {
  it.each([
    ["/", "/"],
    ["file:/", "/"],
    ["file:///a//b/./c/../d/", "/a/b/d"],
    ["file:/a%20b#c?d", "/a%20b#c?d"],
    ["hr/t", null],
    ["file:hr/t", null],
    ["file://host/x", null],
    ["s3://b/k", null],
  ])("of %s is %s", (location, path) => {
    expect(localPath(location)).toBe(path);
  });
});

describe("a joined location", () => {
  it.each([
    ["/w/t", ["metadata", "v1.metadata.json"], "/w/t/metadata/v1.metadata.json"],
    ["/", ["a"], "/a"],
    ["file:///w/t/", ["a/b"], "file:///w/t/a/b"],
    ["file:/", ["a"], "file:/a"],
    ["s3://b", ["k"], "s3://b/k"],
    ["s3://b/", ["k"], "s3://b/k"],
    ["s3://b/t//", ["c=a%2Fb"], "s3://b/t/c=a%2Fb"],
    ["s3://b/t", ["..hidden"], "s3://b/t/..hidden"],
    ["s3://b/t", [], "s3://b/t"],
  ])("of %s and %j is %s", (base, names, wanted) => {
    expect(joinLocation(base, ...names)).toBe(wanted);
  });

  it.each(["..", ".", "", "/etc", "a/../../b", "a//b", "a/", "a\0b"])("is refused for the name %j", (name) => {
    expect(toolErrorOf(() => joinLocation("/w/t", name)).kind).toBe("refused");
  });
});

describe("the parts of a location", () => {
  it.each([
    ["/a/b", "/a", "b"],
    ["/a", "/", "a"],
    ["/", null, ""],
    ["file:///a/b/", "file:///a", "b"],
    ["file:/a", "file:", "a"],
    ["s3://b/k", "s3://b", "k"],
    ["s3://b/k/x.parquet", "s3://b/k", "x.parquet"],
    ["s3://b/", null, ""],
    ["s3://b", null, ""],
    ["t/x", "t", "x"],
  ])("of %s are %s and %s", (location, parent, last) => {
    expect(parentLocation(location)).toBe(parent);
    expect(lastPart(location)).toBe(last);
  });

  it("join again to the same place", () => {
    for (const location of ["/a/b", "/a", "file:///a/b", "file:/a", "s3://b/k/x"]) {
      expect(joinLocation(parentLocation(location) ?? "", lastPart(location))).toBe(location);
    }
  });

  it("have a scheme in lower case", () => {
    expect([locationScheme("S3A://b/k"), locationScheme("/x"), locationScheme("file:/x")]).toEqual(["s3a", "", "file"]);
  });
});

describe("a folder", () => {
  it.each([
    ["/w/t", "file:/w/t/data/a", true],
    ["/w/t", "/w/t", true],
    ["/w/t", "/w/table/a", false],
    ["/w/t", "/w/t/../u/a", false],
    ["/", "/w", true],
    ["s3://b", "s3a://b/k", true],
    ["s3://b/t", "s3://b/t2/k", false],
  ])("%s holds %s: %s", (folder, location, wanted) => {
    expect(isWithin(folder, location)).toBe(wanted);
  });
});
