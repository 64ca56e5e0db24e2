// Which file of a metadata folder is the current one. The wanted answers are those that Iceberg's own HadoopTables
// (1.10.1) gave for such folders, but for a hint whose file was cleaned away, where it fails and we look on.
import { describe, expect, it } from "vitest";
import { currentVersion, parseHint, parseVersionName, versionFiles } from "../../src/catalog/local-layout.ts";

const plain = (...versions: readonly number[]): string[] => versions.map((version) => `v${version}.metadata.json`);

describe("the current version", () => {
  it.each([
    ["the hint's, when it is the newest", plain(1, 2, 3), "3", "v3.metadata.json"],
    ["the newest, when the hint is behind", plain(1, 2, 3), "1", "v3.metadata.json"],
    ["the newest, without a hint", plain(1, 2, 10, 9), null, "v10.metadata.json"],
    ["the newest, when the hint is no number", plain(1, 2), "two", "v2.metadata.json"],
    ["the newest, when the hint is empty", plain(1, 2), "", "v2.metadata.json"],
    ["the newest, when the hint's file was cleaned away", plain(7, 8, 9), "3", "v9.metadata.json"],
    ["the last before a gap, from the hint on", plain(1, 2, 3, 7), "2", "v3.metadata.json"],
    ["the newest, when blanks stand around the hint's number", plain(1, 2, 3, 5), " 1 ", "v5.metadata.json"],
    ["the newest beyond a gap, without a hint", plain(1, 2, 3, 7), null, "v7.metadata.json"],
    ["gzip, when that is what there is", ["v1.metadata.json", "v2.gz.metadata.json"], "1", "v2.gz.metadata.json"],
    ["gzip by the older name", ["v1.metadata.json.gz"], null, "v1.metadata.json.gz"],
    [
      "the plain file of two of one version",
      ["v2.gz.metadata.json", "v2.metadata.json", "v1.metadata.json"],
      "2",
      "v2.metadata.json",
    ],
    [
      "none in a folder of other files",
      ["00001-a.metadata.json", "snap-1.avro", "v.metadata.json", "vx.metadata.json"],
      "1",
      null,
    ],
    ["none in an empty folder", [], "1", null],
  ])("is %s", (_, names, hint, wanted) => {
    const found = currentVersion(versionFiles(names), hint === null ? null : parseHint(hint));
    expect(found?.name ?? null).toBe(wanted);
  });

  it("is read from a hint with the line end that an editor leaves", () => {
    expect(parseHint("12\n")).toBe(12);
    expect(parseHint("12\r\n")).toBe(12);
    expect(parseHint(" 12 ")).toBeNull();
    expect(parseHint("-1")).toBeNull();
    expect(parseHint("1.5")).toBeNull();
    expect(parseHint("9".repeat(40))).toBeNull();
  });
});

it("takes only names that readers look for", () => {
  expect(parseVersionName("v12.metadata.json")).toEqual({ version: 12, name: "v12.metadata.json" });
  for (const name of [
    "v01.metadata.json",
    "V1.metadata.json",
    "v1.metadata.json.tmp",
    "v1.json",
    ".v1.metadata.json.crc",
    "v-1.metadata.json",
    "v1.gz.metadata.json.gz",
  ]) {
    expect(parseVersionName(name)).toBeNull();
  }
});
