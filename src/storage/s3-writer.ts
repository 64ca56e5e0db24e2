// One streamed new object of S3: gathers what is written into parts; what fits into one part goes by one request.
// Nothing is visible before `close`. Knows nothing of what the bytes mean.
import { randomUUID } from "node:crypto";
import { bug } from "../diagnostics/tool-error.ts";
import type { RetryPorts } from "./aws-retry.ts";
import type { ObjectInfo, ObjectWriter } from "./object-store.ts";
import type { S3Calls } from "./s3-calls.ts";
import { withS3Errors } from "./s3-errors.ts";
import { placeOf } from "./s3-location.ts";
import { PartUploads, partSizeBytes } from "./s3-parts.ts";
import { putObject } from "./s3-put.ts";
import { streamObjectRange } from "./s3-read.ts";

export function openS3Writer(calls: S3Calls, ports: RetryPorts, location: string, canMark: boolean): ObjectWriter {
  return new S3Writer(calls, ports, location, new PartUploads(calls, ports, placeOf(location), canMark ? randomUUID() : null));
}

class S3Writer implements ObjectWriter {
  readonly #calls: S3Calls;
  readonly #ports: RetryPorts;
  readonly #location: string;
  readonly #uploads: PartUploads;
  #isOpen = true;
  /** What left the writer with bytes that are not those asked for. */
  #failure: { readonly error: unknown } | null = null;
  #sizeBytes = 0;
  #buffer: Buffer | null = null;
  #filledBytes = 0;
  #number = 1;

  constructor(calls: S3Calls, ports: RetryPorts, location: string, uploads: PartUploads) {
    this.#calls = calls;
    this.#ports = ports;
    this.#location = location;
    this.#uploads = uploads;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#mustBeOpen();
    await this.#changing(() => this.#append(chunk));
  }

  /**
   * The bytes travel through this process. Copying on the side of S3 (UploadPartCopy) would be done here, for the
   * stretches that are long enough to be parts of their own.
   */
  async copyFrom(source: string, offset: number, lengthBytes: number): Promise<void> {
    this.#mustBeOpen();
    await this.#changing(() =>
      streamObjectRange(this.#calls, this.#ports, source, { offset, lengthBytes }, (chunk) => this.#append(chunk)),
    );
  }

  async close(): Promise<ObjectInfo> {
    this.#mustBeOpen();
    this.#isOpen = false;
    try {
      if (this.#number === 1) {
        await putObject(
          this.#calls,
          this.#ports,
          this.#location,
          this.#buffer?.subarray(0, this.#filledBytes) ?? new Uint8Array(),
        );
      } else {
        await this.#uploading(async () => {
          await this.#sendBuffer();
          await this.#uploads.end(this.#sizeBytes, this.#location);
        });
      }
    } catch (error) {
      await this.#uploads.abort();
      throw error;
    } finally {
      this.#buffer = null;
    }
    return { location: this.#location, sizeBytes: this.#sizeBytes };
  }

  async abort(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#buffer = null;
    await this.#uploads.abort();
  }

  /** A failure before the first byte leaves the writer as it was; after it, its end is not what was asked for. */
  async #changing(work: () => Promise<void>): Promise<void> {
    const before = this.#sizeBytes;
    try {
      await work();
    } catch (error) {
      if (this.#sizeBytes !== before) this.#failure = { error };
      throw error;
    }
  }

  async #append(chunk: Uint8Array): Promise<void> {
    let done = 0;
    while (done < chunk.length) {
      if (this.#buffer !== null && this.#filledBytes === this.#buffer.length) await this.#uploading(() => this.#sendBuffer());
      this.#buffer ??= this.#uploads.buffer(partSizeBytes(this.#number));
      const piece = chunk.subarray(done, done + this.#buffer.length - this.#filledBytes);
      this.#buffer.set(piece, this.#filledBytes);
      this.#filledBytes += piece.length;
      this.#sizeBytes += piece.length;
      done += piece.length;
    }
  }

  async #sendBuffer(): Promise<void> {
    const buffer = this.#buffer;
    if (buffer === null) return;
    this.#buffer = null;
    const [number, filledBytes] = [this.#number, this.#filledBytes];
    this.#number += 1;
    this.#filledBytes = 0;
    await this.#uploads.send(number, buffer, filledBytes);
  }

  async #uploading<T>(work: () => Promise<T>): Promise<T> {
    return await withS3Errors({ verb: "write", location: this.#location, action: "s3:PutObject" }, work);
  }

  #mustBeOpen(): void {
    if (!this.#isOpen) throw bug("A writer was used after its end", { location: this.#location });
    if (this.#failure !== null) throw this.#failure.error;
  }
}
