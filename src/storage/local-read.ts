// Reads exact ranges of a file on this machine. A handle is open only while its read runs. Knows nothing of
// what the bytes mean.
import { type FileHandle, open } from "node:fs/promises";
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import { shortRead, withStorageErrors } from "./local-errors.ts";
import { pathOf } from "./local-path.ts";

// One read call gives at most 2^31 - 1 bytes.
const READ_BYTES = 1 << 30;
const COPY_BYTES = 1 << 20;

/** The whole file as it is when opened. */
export async function readWhole(location: string): Promise<Uint8Array> {
  return await withHandle(location, async (handle, sizeBytes) => {
    const bytes = new Uint8Array(sizeBytes);
    await readExactly(handle, location, bytes, 0);
    return bytes;
  });
}

export async function readPart(location: string, offset: number, lengthBytes: number): Promise<Uint8Array> {
  checkRange(location, offset, lengthBytes);
  return await withHandle(location, async (handle, sizeBytes) => {
    checkInside(location, offset, lengthBytes, sizeBytes);
    const bytes = new Uint8Array(lengthBytes);
    await readExactly(handle, location, bytes, offset);
    return bytes;
  });
}

/** The range in pieces of bounded size. */
export async function streamPart(
  location: string,
  offset: number,
  lengthBytes: number,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  checkRange(location, offset, lengthBytes);
  await withHandle(location, async (handle, sizeBytes) => {
    checkInside(location, offset, lengthBytes, sizeBytes);
    const buffer = new Uint8Array(Math.min(COPY_BYTES, lengthBytes));
    for (let done = 0; done < lengthBytes; ) {
      const chunk = buffer.subarray(0, Math.min(buffer.length, lengthBytes - done));
      await readExactly(handle, location, chunk, offset + done);
      await take(chunk);
      done += chunk.length;
    }
  });
}

async function withHandle<T>(location: string, work: (handle: FileHandle, sizeBytes: number) => Promise<T>): Promise<T> {
  return await withStorageErrors("read", location, async () => {
    const handle = await open(pathOf(location), "r");
    try {
      const found = await handle.stat();
      if (!found.isFile()) {
        throw new ToolError("not-found", `Cannot read "${location}"`, { why: "It is no file" });
      }
      return await work(handle, found.size);
    } finally {
      await handle.close();
    }
  });
}

async function readExactly(handle: FileHandle, location: string, into: Uint8Array, offset: number): Promise<void> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await handle.read(into, done, Math.min(READ_BYTES, into.length - done), offset + done);
    if (bytesRead === 0) throw shortRead(location, offset, into.length, done);
    done += bytesRead;
  }
}

// Before any byte: a range beyond the end must not allocate what it asks for.
function checkInside(location: string, offset: number, lengthBytes: number, sizeBytes: number): void {
  if (offset + lengthBytes > sizeBytes) throw shortRead(location, offset, lengthBytes, Math.max(0, sizeBytes - offset));
}

function checkRange(location: string, offset: number, lengthBytes: number): void {
  if (Number.isSafeInteger(offset) && Number.isSafeInteger(lengthBytes) && offset >= 0 && lengthBytes >= 0) return;
  throw bug("A range of a file must be two whole numbers from 0", { location, offset, lengthBytes });
}
