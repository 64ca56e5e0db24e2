// One upload in parts: begun with the first part, parts sent side by side from buffers that are used again, ended by
// naming them all. Memory stays at a few parts, however large the object. Knows nothing of what the bytes mean.
import { bug } from "../diagnostics/tool-error.ts";
import { type RetryPorts, withRetries } from "./aws-retry.ts";
import type { S3Calls, S3Part, S3Upload } from "./s3-calls.ts";
import { adviseRetry, readFailure } from "./s3-failure.ts";
import { headObject } from "./s3-head.ts";
import type { S3Place } from "./s3-location.ts";

/** S3 takes parts from 5 MiB; larger ones cost fewer calls. */
const FIRST_PART_BYTES = 8 << 20;
/** After so many parts they double: S3 takes 10,000, and these reach beyond the 5 TiB of its largest object. */
const PARTS_OF_ONE_SIZE = 1000;
/** Together, beside the one being filled. */
const IN_FLIGHT_BYTES = 3 * FIRST_PART_BYTES;

/** Counted from 1. */
export function partSizeBytes(number: number): number {
  return FIRST_PART_BYTES * 2 ** Math.floor((number - 1) / PARTS_OF_ONE_SIZE);
}

export class PartUploads {
  readonly #calls: S3Calls;
  readonly #ports: RetryPorts;
  readonly #place: S3Place;
  readonly #mark: string | null;
  readonly #cancel = new AbortController();
  readonly #parts: S3Part[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #free: Buffer[] = [];
  #upload: S3Upload | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(calls: S3Calls, ports: RetryPorts, place: S3Place, mark: string | null) {
    this.#calls = calls;
    this.#ports = ports;
    this.#place = place;
    this.#mark = mark;
  }

  /** To be filled and handed to `send`. */
  buffer(sizeBytes: number): Buffer {
    const free = this.#free.pop();
    return free?.length === sizeBytes ? free : Buffer.allocUnsafeSlow(sizeBytes);
  }

  /** Takes the buffer over. Waits only while too much is on its way; throws what an earlier part failed of. */
  async send(number: number, buffer: Buffer, lengthBytes: number): Promise<void> {
    this.#check();
    const upload = await this.#begun();
    const most = Math.max(1, Math.floor(IN_FLIGHT_BYTES / buffer.length));
    while (this.#inFlight.size >= most && this.#failure === null) await Promise.race(this.#inFlight);
    this.#check();
    const sending = this.#sendPart(upload, number, buffer, lengthBytes).finally(() => this.#inFlight.delete(sending));
    this.#inFlight.add(sending);
  }

  async #begun(): Promise<S3Upload> {
    try {
      this.#upload ??= await withRetries(this.#ports, adviseRetry, () => this.#calls.beginUpload(this.#place, this.#mark));
      return this.#upload;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async #sendPart(upload: S3Upload, number: number, buffer: Buffer, lengthBytes: number): Promise<void> {
    try {
      const body = buffer.subarray(0, lengthBytes);
      const { signal } = this.#cancel;
      this.#parts.push(
        await withRetries(
          this.#ports,
          (error) => (signal.aborted ? null : adviseRetry(error)),
          () => this.#calls.putPart(upload, number, body, signal),
        ),
      );
      this.#free.push(buffer);
    } catch (error) {
      this.#failure ??= { error };
      this.#cancel.abort();
    }
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** The object is there, whole, when this returns. */
  async end(sizeBytes: number, location: string): Promise<void> {
    await Promise.all(this.#inFlight);
    this.#check();
    const upload = this.#upload;
    if (upload === null) throw bug("An upload was ended that was not begun", { location });
    const parts = this.#parts.toSorted((a, b) => a.number - b.number);
    await withRetries(this.#ports, adviseRetry, async () => {
      try {
        await this.#calls.endUpload(upload, parts);
      } catch (error) {
        // An end whose answer was lost leaves no upload to end again, but the object.
        if (readFailure(error).code !== "NoSuchUpload" || !(await this.#isThere(sizeBytes, location))) throw error;
      }
    });
    this.#upload = null;
  }

  async #isThere(sizeBytes: number, location: string): Promise<boolean> {
    const found = await headObject(this.#calls, this.#ports, location, "write");
    return found !== null && found.sizeBytes === sizeBytes && found.mark === this.#mark;
  }

  /** Gives back what S3 holds of it. What cannot be given back stays until the bucket's own rule takes it away. */
  async abort(): Promise<void> {
    this.#cancel.abort();
    await Promise.all(this.#inFlight);
    const upload = this.#upload;
    this.#upload = null;
    if (upload === null) return;
    await withRetries(this.#ports, adviseRetry, () => this.#calls.abortUpload(upload)).catch(() => undefined);
  }
}
