// The new file is written front to back, in few calls.
import { describe, expect, it } from "vitest";
import { fileWriter } from "../../src/parquet/file-writer.ts";

type Call = readonly ["write", number] | readonly ["copy", number, number];

async function calls(use: (writer: ReturnType<typeof fileWriter>) => Promise<void>): Promise<readonly Call[]> {
  const made: Call[] = [];
  const writer = fileWriter({
    write: async (bytes) => {
      made.push(["write", bytes.length]);
    },
    copy: async (offset, lengthBytes) => {
      made.push(["copy", offset, lengthBytes]);
    },
  });
  await use(writer);
  await writer.flush();
  return made;
}

describe("a file writer", () => {
  it("joins adjacent stretches into one copy and small pieces into one write, in order", async () => {
    const made = await calls(async (writer) => {
      await writer.write(new Uint8Array(4));
      await writer.copy(4, 100);
      await writer.copy(104, 50);
      await writer.copy(154, 0);
      await writer.copy(200, 10);
      await writer.write(new Uint8Array(3));
      await writer.write(new Uint8Array(5));
      expect(writer.position).toBe(172);
      expect(writer.copiedBytes).toBe(160);
    });
    expect(made).toEqual([
      ["write", 4],
      ["copy", 4, 150],
      ["copy", 200, 10],
      ["write", 8],
    ]);
  });

  it("does not hold back more than a piece of memory", async () => {
    const made = await calls(async (writer) => {
      for (let piece = 0; piece < 5; piece++) await writer.write(new Uint8Array(700_000));
    });
    expect(made).toEqual([
      ["write", 1_400_000],
      ["write", 1_400_000],
      ["write", 700_000],
    ]);
  });
});
