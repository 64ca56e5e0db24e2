// The header in front of every page: read into a flat shape with its tree, and written for new pages. Knows
// no values and no levels.
import { encodingName } from "./column-chunk.ts";
import { corrupt, unsupported } from "./corrupt.ts";
import { codeOf, DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE, type Encoding, ENCODINGS, PAGE_HEADER, PAGE_TYPE } from "./format.ts";
import {
  booleanAt,
  booleanField,
  hasField,
  i32Field,
  numberAt,
  struct,
  structAt,
  structField,
  type ThriftField,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "./thrift-tree.ts";

interface AnyPage {
  readonly tree: ThriftStruct;
  readonly uncompressedBytes: number;
  readonly compressedBytes: number;
  readonly crc: number | null;
  /** Nulls included. */
  readonly values: number;
  readonly encoding: string;
}

export interface DataPageHeader extends AnyPage {
  readonly type: "data";
  readonly version: 1;
  readonly definitionEncoding: string;
  readonly repetitionEncoding: string;
}

export interface DataPageV2Header extends AnyPage {
  readonly type: "data";
  readonly version: 2;
  readonly nulls: number;
  readonly rows: number;
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  readonly isCompressed: boolean;
}

export interface DictionaryPageHeader extends AnyPage {
  readonly type: "dictionary";
}

export type PageHeader = DataPageHeader | DataPageV2Header | DictionaryPageHeader;

export function parsePageHeader(tree: ThriftStruct): PageHeader {
  const type = numberAt(tree, PAGE_HEADER.type);
  const common = {
    tree,
    uncompressedBytes: size(tree, PAGE_HEADER.uncompressed, "uncompressed size"),
    compressedBytes: size(tree, PAGE_HEADER.compressed, "size"),
    crc: numberAt(tree, PAGE_HEADER.crc) ?? null,
  };
  if (type === PAGE_TYPE.data) {
    const data = part(tree, PAGE_HEADER.data);
    return {
      ...common,
      type: "data",
      version: 1,
      values: size(data, DATA_PAGE.values, "number of values"),
      encoding: encodingName(numberAt(data, DATA_PAGE.encoding)),
      definitionEncoding: encodingName(numberAt(data, DATA_PAGE.definitionEncoding)),
      repetitionEncoding: encodingName(numberAt(data, DATA_PAGE.repetitionEncoding)),
    };
  }
  if (type === PAGE_TYPE.dataV2) {
    const data = part(tree, PAGE_HEADER.dataV2);
    return {
      ...common,
      type: "data",
      version: 2,
      values: size(data, DATA_PAGE_V2.values, "number of values"),
      encoding: encodingName(numberAt(data, DATA_PAGE_V2.encoding)),
      nulls: size(data, DATA_PAGE_V2.nulls, "number of nulls"),
      rows: size(data, DATA_PAGE_V2.rows, "number of rows"),
      definitionBytes: size(data, DATA_PAGE_V2.definitionBytes, "size of the definition levels"),
      repetitionBytes: size(data, DATA_PAGE_V2.repetitionBytes, "size of the repetition levels"),
      isCompressed: booleanAt(data, DATA_PAGE_V2.compressed) ?? true,
    };
  }
  if (type === PAGE_TYPE.dictionary) {
    const dictionary = part(tree, PAGE_HEADER.dictionary);
    const values = size(dictionary, DICTIONARY_PAGE.values, "number of dictionary entries");
    return { ...common, type: "dictionary", values, encoding: encodingName(numberAt(dictionary, DICTIONARY_PAGE.encoding)) };
  }
  throw unsupported(`A page has the unknown type ${String(type)}`);
}

function part(tree: ThriftStruct, id: number): ThriftStruct {
  const found = structAt(tree, id);
  if (found === undefined) throw corrupt("A page header lacks the part that its type names");
  return found;
}

function size(tree: ThriftStruct, id: number, what: string): number {
  const value = numberAt(tree, id);
  if (value === undefined || value < 0) throw corrupt(`The ${what} in a page header is missing or wrong`);
  return value;
}

/** The header of a page whose body stays: statistics of the old values go. Null when nothing has to change. */
export function headerWithoutStatistics(header: PageHeader): ThriftStruct | null {
  if (header.type !== "data") return null;
  const [partId, statisticsId] =
    header.version === 1 ? [PAGE_HEADER.data, DATA_PAGE.statistics] : [PAGE_HEADER.dataV2, DATA_PAGE_V2.statistics];
  const data = part(header.tree, partId);
  if (!hasField(data, statisticsId)) return null;
  return withFields(header.tree, structField(partId, withoutFields(data, statisticsId)));
}

export interface NewPage {
  readonly uncompressedBytes: number;
  readonly compressedBytes: number;
  /** Null where the source had none. */
  readonly crc: number | null;
  readonly values: number;
  readonly encoding: Encoding;
}

export function dictionaryPageHeader(page: NewPage): ThriftStruct {
  const part = struct(i32Field(DICTIONARY_PAGE.values, page.values), encodingField(DICTIONARY_PAGE.encoding, page.encoding));
  return header(PAGE_TYPE.dictionary, page, structField(PAGE_HEADER.dictionary, part));
}

export function dataPageHeader(page: NewPage): ThriftStruct {
  const part = struct(
    i32Field(DATA_PAGE.values, page.values),
    encodingField(DATA_PAGE.encoding, page.encoding),
    encodingField(DATA_PAGE.definitionEncoding, "RLE"),
    encodingField(DATA_PAGE.repetitionEncoding, "RLE"),
  );
  return header(PAGE_TYPE.data, page, structField(PAGE_HEADER.data, part));
}

export function dataPageV2Header(page: NewPage & { readonly nulls: number; readonly definitionBytes: number }): ThriftStruct {
  const part = struct(
    i32Field(DATA_PAGE_V2.values, page.values),
    i32Field(DATA_PAGE_V2.nulls, page.nulls),
    i32Field(DATA_PAGE_V2.rows, page.values),
    encodingField(DATA_PAGE_V2.encoding, page.encoding),
    i32Field(DATA_PAGE_V2.definitionBytes, page.definitionBytes),
    i32Field(DATA_PAGE_V2.repetitionBytes, 0),
    booleanField(DATA_PAGE_V2.compressed, true),
  );
  return header(PAGE_TYPE.dataV2, page, structField(PAGE_HEADER.dataV2, part));
}

function encodingField(id: number, encoding: Encoding): ThriftField {
  return i32Field(id, codeOf(ENCODINGS, encoding));
}

function header(type: number, page: NewPage, part: ThriftField): ThriftStruct {
  return struct(
    i32Field(PAGE_HEADER.type, type),
    i32Field(PAGE_HEADER.uncompressed, page.uncompressedBytes),
    i32Field(PAGE_HEADER.compressed, page.compressedBytes),
    page.crc === null ? null : i32Field(PAGE_HEADER.crc, page.crc),
    part,
  );
}
