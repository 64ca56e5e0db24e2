// One streamed new file on this machine: bytes go to a temporary name, `close` gives the file its own. Knows
// nothing of what the bytes mean.
import type { FileHandle } from "node:fs/promises";
import { bug } from "../diagnostics/tool-error.ts";
import { openTemporary, publishOver, removeQuietly, writeAll } from "./local-durable.ts";
import { withStorageErrors } from "./local-errors.ts";
import { pathOf } from "./local-path.ts";
import { streamPart } from "./local-read.ts";
import type { ObjectInfo, ObjectWriter } from "./object-store.ts";

export async function openLocalWriter(location: string): Promise<ObjectWriter> {
  return await withStorageErrors("write", location, async () => {
    const path = pathOf(location);
    return new LocalWriter(location, path, await openTemporary(path));
  });
}

class LocalWriter implements ObjectWriter {
  readonly #location: string;
  readonly #path: string;
  readonly #temporary: string;
  #handle: FileHandle | null;
  #sizeBytes = 0;

  constructor(location: string, path: string, opened: { readonly handle: FileHandle; readonly temporary: string }) {
    this.#location = location;
    this.#path = path;
    this.#temporary = opened.temporary;
    this.#handle = opened.handle;
  }

  async write(chunk: Uint8Array): Promise<void> {
    const handle = this.#open();
    await withStorageErrors("write", this.#location, () => writeAll(handle, chunk));
    this.#sizeBytes += chunk.length;
  }

  async copyFrom(source: string, offset: number, lengthBytes: number): Promise<void> {
    this.#open();
    await streamPart(source, offset, lengthBytes, (chunk) => this.write(chunk));
  }

  async close(): Promise<ObjectInfo> {
    const handle = this.#open();
    await withStorageErrors("write", this.#location, async () => {
      try {
        await handle.sync();
        this.#handle = null;
        await handle.close();
        await publishOver(this.#temporary, this.#path);
      } catch (error) {
        await this.#giveUp(handle);
        throw error;
      }
    });
    return { location: this.#location, sizeBytes: this.#sizeBytes };
  }

  async abort(): Promise<void> {
    const handle = this.#handle;
    if (handle === null) return;
    await this.#giveUp(handle);
  }

  async #giveUp(handle: FileHandle): Promise<void> {
    this.#handle = null;
    await handle.close().catch(() => undefined);
    await removeQuietly(this.#temporary);
  }

  #open(): FileHandle {
    if (this.#handle === null) throw bug("A writer was used after its end", { location: this.#location });
    return this.#handle;
  }
}
