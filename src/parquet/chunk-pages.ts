// Walks the pages of one column chunk in file order, reading it in windows so that memory stays bounded.
// Checks sizes, counts and checksums; hands bodies on as they are, compressed. Knows no encoding.
import type { ColumnChunk } from "./column-chunk.ts";
import { corrupt, unsupported } from "./corrupt.ts";
import { crc32 } from "./crc32.ts";
import type { ByteSource } from "./file-io.ts";
import {
  type DataPageHeader,
  type DataPageV2Header,
  type DictionaryPageHeader,
  type PageHeader,
  parsePageHeader,
} from "./page-header.ts";
import { readStruct, ThriftTruncated } from "./thrift-read.ts";

export interface DictionaryPage {
  readonly header: DictionaryPageHeader;
  readonly headerBytes: number;
  readonly body: Uint8Array;
}

export interface DataPage {
  readonly header: DataPageHeader | DataPageV2Header;
  /** As stored, header included, for pages that are kept. */
  readonly rawHeader: Uint8Array;
  readonly body: Uint8Array;
}

export interface ChunkReader {
  readonly chunk: ColumnChunk;
  /** Bytes asked of the source so far. */
  bytesRead(): number;
  /** The dictionary page; null when the chunk starts with a data page. */
  dictionary(): Promise<DictionaryPage | null>;
  /** The data pages from the first one; may be walked more than once. */
  dataPages(): AsyncGenerator<DataPage>;
}

/** A request this large keeps the number of requests low; a chunk of this size is read once, however often it is walked. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Longer headers exist (statistics of long values) and cost a second look. */
const HEADER_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
/** No writer makes pages near this size; the bound keeps a hostile header from taking the memory. */
const MAX_PAGE_BYTES = 512 * 1024 * 1024;

interface RawPage {
  readonly header: PageHeader;
  readonly rawHeader: Uint8Array;
  readonly body: Uint8Array;
  readonly end: number;
}

export function openChunk(source: ByteSource, chunk: ColumnChunk): ChunkReader {
  const name = chunk.leaf.path.join(".");
  const end = chunk.offset + chunk.compressedBytes;
  let window: Uint8Array = new Uint8Array(0);
  let windowStart = chunk.offset;
  let bytesRead = 0;

  const bytesAt = async (offset: number, lengthBytes: number): Promise<Uint8Array> => {
    if (offset + lengthBytes > end) throw corrupt(`A page of column "${name}" reaches beyond its column chunk`);
    if (offset < windowStart || offset + lengthBytes > windowStart + window.length) {
      const wanted = Math.min(Math.max(lengthBytes, WINDOW_BYTES), end - offset);
      window = await source.read(offset, wanted);
      windowStart = offset;
      bytesRead += wanted;
      if (window.length !== wanted) throw corrupt("The file ended before its size was reached");
    }
    return window.subarray(offset - windowStart, offset - windowStart + lengthBytes);
  };

  const headerAt = async (offset: number): Promise<{ readonly header: PageHeader; readonly raw: Uint8Array }> => {
    for (let wanted = HEADER_BYTES; ; wanted *= 32) {
      const available = Math.min(wanted, end - offset);
      const bytes = await bytesAt(offset, available);
      try {
        const { value, end: headerEnd } = readStruct(bytes);
        return { header: parsePageHeader(value), raw: bytes.subarray(0, headerEnd) };
      } catch (error) {
        if (!(error instanceof ThriftTruncated)) throw error;
        if (available < wanted || wanted > MAX_HEADER_BYTES) throw corrupt(`A page header of column "${name}" is cut off`);
      }
    }
  };

  const pageAt = async (offset: number): Promise<RawPage> => {
    const { header, raw } = await headerAt(offset);
    if (header.uncompressedBytes > MAX_PAGE_BYTES || header.compressedBytes > MAX_PAGE_BYTES) {
      throw unsupported(`A page of column "${name}" is larger than ${MAX_PAGE_BYTES} bytes`);
    }
    const bodyStart = offset + raw.length;
    const body = await bytesAt(bodyStart, header.compressedBytes);
    if (header.crc !== null && header.crc !== crc32(body)) {
      throw corrupt(`A page of column "${name}" does not match its checksum`, { offset });
    }
    return { header, rawHeader: raw, body, end: bodyStart + header.compressedBytes };
  };

  const firstPage = async (): Promise<RawPage | null> => (chunk.compressedBytes === 0 ? null : await pageAt(chunk.offset));

  return {
    chunk,
    bytesRead: () => bytesRead,
    dictionary: async () => {
      const page = await firstPage();
      if (page === null || page.header.type !== "dictionary") return null;
      return { header: page.header, headerBytes: page.rawHeader.length, body: page.body };
    },
    dataPages: async function* () {
      const first = await firstPage();
      let offset = first?.header.type === "dictionary" ? first.end : chunk.offset;
      let values = 0;
      while (values < chunk.values && offset < end) {
        const page = await pageAt(offset);
        if (page.header.type === "dictionary") throw corrupt(`Column "${name}" has a dictionary page after its first page`);
        values += page.header.values;
        if (values > chunk.values) break;
        yield { header: page.header, rawHeader: page.rawHeader, body: page.body };
        offset = page.end;
      }
      if (values !== chunk.values)
        throw corrupt(`The pages of column "${name}" hold ${values} values instead of ${chunk.values}`);
    },
  };
}
