// What only files of this machine have: spellings of one path, Hadoop's checksums, leftovers of killed runs,
// links, permissions, and handles that must be given back.
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalStore } from "../../src/storage/local.ts";
import { isHiddenName, temporaryPath } from "../../src/storage/local-durable.ts";
import { storageError } from "../../src/storage/local-errors.ts";
import { errorKind } from "../conformance/store-suite.ts";

const store = createLocalStore();
const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "floeplan-local-"));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function names(): Promise<string[]> {
  return (await readdir(folder)).sort();
}

describe("a local location", () => {
  // As org.apache.hadoop.fs.Path of Hadoop 3.4.1 opens them.
  it.each([
    (path: string) => path,
    (path: string) => `file:${path}`,
    (path: string) => `file://${path}`,
    (path: string) => `FILE:${path}`,
    (path: string) => path.replace("/x", "//x"),
    (path: string) => path.replace("/x", "/./y/../x"),
  ])("means one file in every spelling: %s", async (spell) => {
    await writeFile(join(folder, "x%20y"), "here");
    expect(new TextDecoder().decode(await store.read(spell(join(folder, "x%20y"))))).toBe("here");
  });

  it("is refused when it is relative, of another scheme or of another host", async () => {
    for (const location of ["x/y", "file:x", "file://host/x", "s3://bucket/x", "", "/a\0b"]) {
      expect(await errorKind(store.head(location))).toBe("unsupported");
    }
  });
});

describe("Hadoop's checksum side-cars", () => {
  it("go away with the file that they no longer fit", async () => {
    await writeFile(join(folder, "version-hint.text"), "1");
    await writeFile(join(folder, ".version-hint.text.crc"), "crc of 1");
    await store.replace(join(folder, "version-hint.text"), bytes("2"));
    expect(await names()).toEqual(["version-hint.text"]);
  });

  it("go away when a leftover of one stands in the way of a new file", async () => {
    await writeFile(join(folder, ".v2.metadata.json.crc"), "of a file long gone");
    await writeFile(join(folder, ".data.parquet.crc"), "of a file long gone");
    await store.putIfAbsent(join(folder, "v2.metadata.json"), bytes("{}"));
    const writer = await store.create(join(folder, "data.parquet"));
    await writer.close();
    expect(await names()).toEqual(["data.parquet", "v2.metadata.json"]);
  });

  it("stay with a file that a lost race left as it was", async () => {
    await writeFile(join(folder, "v2.metadata.json"), "{}");
    await writeFile(join(folder, ".v2.metadata.json.crc"), "crc");
    expect(await store.putIfAbsent(join(folder, "v2.metadata.json"), bytes("other"))).toBe("exists");
    expect(await names()).toEqual([".v2.metadata.json.crc", "v2.metadata.json"]);
  });

  it("are no objects, and are removed with their file", async () => {
    await writeFile(join(folder, "a"), "a");
    await writeFile(join(folder, ".a.crc"), "crc");
    const found: string[] = [];
    for await (const { location } of store.list(folder)) found.push(location);
    expect(found).toEqual([join(folder, "a")]);
    await store.remove(join(folder, "a"));
    expect(await names()).toEqual([]);
  });
});

describe("what a killed run leaves", () => {
  it("has a name that no listing shows", async () => {
    const leftover = temporaryPath(join(folder, "v2.metadata.json"));
    await writeFile(leftover, "half a fi");
    const found: string[] = [];
    for await (const { location } of store.list(folder)) found.push(location);
    expect(found).toEqual([]);
    expect(isHiddenName("v2.metadata.json")).toBe(false);
    expect(isHiddenName("_SUCCESS")).toBe(false);
  });

  it("is nothing after every call that ended", async () => {
    await store.putIfAbsent(join(folder, "a"), bytes("1"));
    await store.putIfAbsent(join(folder, "a"), bytes("2"));
    await store.replace(join(folder, "b"), bytes("3"));
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.putIfAbsent(join(folder, "c"), bytes(`${index}`))));
    const given = await store.create(join(folder, "d"));
    await given.write(bytes("4"));
    await given.abort();
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  it("is nothing after a call that failed at its last step", async () => {
    await mkdir(join(folder, "taken/by-a-folder"), { recursive: true });
    expect(await errorKind(store.replace(join(folder, "taken"), bytes("x")))).toBe("refused");
    const writer = await store.create(join(folder, "taken"));
    expect(await errorKind(writer.close())).toBe("refused");
    expect(await store.putIfAbsent(join(folder, "taken"), bytes("x"))).toBe("exists");
    expect(await names()).toEqual(["taken"]);
  });
});

describe("links", () => {
  it("to files are listed and read, links to folders are not entered by a listing", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real/file"), "x");
    await symlink(join(folder, "real/file"), join(folder, "to-file"));
    await symlink(folder, join(folder, "real/circle"));
    await symlink(join(folder, "gone"), join(folder, "to-nothing"));
    const found: string[] = [];
    for await (const { location } of store.list(folder)) found.push(location.slice(folder.length + 1));
    expect(found).toEqual(["real/file", "to-file"]);
    expect(await store.head(join(folder, "to-nothing"))).toBeNull();
    expect(await store.putIfAbsent(join(folder, "to-nothing"), bytes("x"))).toBe("exists");
  });
});

describe("failures of the disk", () => {
  it.each([
    ["ENOENT", "not-found", false],
    ["EACCES", "auth", false],
    ["EPERM", "auth", false],
    ["EROFS", "auth", false],
    ["ENOSPC", "storage-full", false],
    ["EDQUOT", "storage-full", false],
    ["EMFILE", "unavailable", true],
    ["ENFILE", "unavailable", true],
    ["EIO", "unavailable", true],
    ["ESTALE", "unavailable", true],
    ["ENAMETOOLONG", "refused", false],
    ["EISDIR", "refused", false],
    ["ENOTDIR", "refused", false],
  ] as const)("%s is told as %s", (code, kind, retryable) => {
    const error = storageError("write", "/x", Object.assign(new Error(`${code}: said the system`), { code }));
    expect([error.kind, error.retryable, error.message, error.context]).toEqual([kind, retryable, 'Cannot write "/x"', { code }]);
  });

  it("say which file and why", async () => {
    await writeFile(join(folder, "file"), "x");
    expect(await errorKind(store.putIfAbsent(join(folder, "file/below"), bytes("x")))).toBe("refused");
    expect(await errorKind(store.putIfAbsent(join(folder, "n".repeat(300)), bytes("x")))).toBe("refused");
    expect(await errorKind(store.read(join(folder, "file/below")))).toBe("refused");
    await symlink(join(folder, "loop"), join(folder, "loop"));
    expect(await errorKind(store.read(join(folder, "loop")))).toBe("refused");
  });

  // The superuser may do everything.
  it.skipIf(process.getuid?.() === 0)("name a missing permission", async () => {
    await mkdir(join(folder, "closed"), { mode: 0o500 });
    expect(await errorKind(store.putIfAbsent(join(folder, "closed/x"), bytes("x")))).toBe("auth");
    expect(await errorKind(store.replace(join(folder, "closed/x"), bytes("x")))).toBe("auth");
    expect(await errorKind(store.create(join(folder, "closed/x")))).toBe("auth");
    await writeFile(join(folder, "secret"), "x", { mode: 0o000 });
    expect(await errorKind(store.read(join(folder, "secret")))).toBe("auth");
  });
});

describe.skipIf(process.platform !== "linux")("file handles", () => {
  it("are given back by every call, whether it ended well or not", async () => {
    const path = join(folder, "x");
    await store.putIfAbsent(path, bytes("0123456789"));
    await store.putIfAbsent(path, bytes("0123456789"));
    await store.replace(path, bytes("0123456789"));
    await store.readRange(path, 2, 3);
    await errorKind(store.readRange(path, 8, 3));
    await errorKind(store.read(folder));
    const kept = await store.create(join(folder, "kept"));
    await kept.copyFrom(path, 0, 5);
    await errorKind(kept.copyFrom(path, 0, 50));
    await kept.close();
    const dropped = await store.create(join(folder, "dropped"));
    await dropped.abort();
    await mkdir(join(folder, "taken/child"), { recursive: true });
    const failed = await store.create(join(folder, "taken"));
    await errorKind(failed.close());
    for await (const _ of store.list(folder)) break;

    const open: string[] = [];
    for (const handle of await readdir("/proc/self/fd")) {
      const target = await readlink(`/proc/self/fd/${handle}`).catch(() => "");
      if (target.startsWith(folder)) open.push(target);
    }
    expect(open).toEqual([]);
    expect(await readFile(path, "utf8")).toBe("0123456789");
  });
});
