// What all conversions from string share: blanks, empty text, text that is no text, and the two ways in (a string or
// its UTF-8 bytes). A kind adds how the remaining bytes are read. Grammars are for ASCII, so bytes suffice.
import { isUtf8 } from "node:buffer";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { bug } from "../diagnostics/tool-error.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import { refuseOtherArguments } from "./arguments.ts";
import type { Conversion, Converted, Converter, RuleArgument, Value } from "./conversion.ts";
import { FAILURES, type Failure } from "./failures.ts";
import { isBlank } from "./grammar/blank.ts";
import type { SqlBranch } from "./sql/branch.ts";
import { branchesSql } from "./sql/matched-cast.ts";

/** Reads `[start, end)`, which is not empty unless `readsEmpty`, and already without blanks under `trim`. */
export type TextParser = (bytes: Uint8Array, start: number, end: number) => Converted;

export interface TextReader {
  readonly parse: TextParser;
  /** For the texts that convert, in the order of their UTF-8 bytes, and without `trim`. */
  readonly keepsOrder: boolean;
  /** Empty text is a value of its own here, not a failure. */
  readonly readsEmpty?: boolean;
}

export interface TextConversion {
  readonly name: string;
  readonly to: PrimitiveType["kind"];
  /** Beside `trim` and `empty-as-null`, which every conversion from string takes. */
  readonly arguments: readonly RuleArgument[];
  readonly losses: string;
  read(rule: ConversionRule, to: PrimitiveType): TextReader | Diagnostic;
  /** The same grammar for the engines. The rule is one that `read` accepts. */
  branches(rule: ConversionRule, to: PrimitiveType): readonly SqlBranch[];
}

export function textConversion(kind: TextConversion): Conversion {
  const taken: readonly RuleArgument[] = [...kind.arguments, "trim", "empty-as-null"];
  return {
    name: kind.name,
    from: "string",
    to: kind.to,
    arguments: taken,
    losses: kind.losses,
    bind(rule, from, to) {
      const refused = refuseOtherArguments(rule, taken, "string", kind.to);
      if (refused !== null) return refused;
      const reader = kind.read(rule, to);
      return "code" in reader ? reader : textConverter(rule, from, to, reader);
    },
    sql: (rule, _from, to, column) => branchesSql(kind.branches(rule, to), rule.trim, column),
  };
}

// Longer texts are rare in columns that convert, and get an array of their own.
const SCRATCH_LENGTH = 128;
const LONE_SURROGATE = /\p{Surrogate}/u;
const NULL: Converted = { value: null };

function textConverter(rule: ConversionRule, from: PrimitiveType, to: PrimitiveType, reader: TextReader): Converter {
  const { trim, emptyAsNull } = rule;
  const { parse } = reader;
  const readsEmpty = reader.readsEmpty === true;
  const scratch = new Uint8Array(SCRATCH_LENGTH);

  function convertBytes(bytes: Uint8Array, start = 0, end = bytes.length): Converted {
    let first = start;
    let last = end;
    if (trim) {
      while (first < last && isBlank(bytes[first])) first++;
      while (last > first && isBlank(bytes[last - 1])) last--;
    }
    if (first === last && !readsEmpty) return emptyAsNull ? NULL : FAILURES.empty;
    const converted = parse(bytes, first, last);
    if ("failure" in converted) return explain(converted, bytes, start, end, trim);
    if (last - first === end - start || converted.value === null || converted.loss !== undefined) return converted;
    return { value: converted.value, loss: "blanks" };
  }

  function convert(value: Value): Converted {
    if (typeof value !== "string") throw bug("A conversion from string was given another value", { type: typeof value });
    const length = value.length;
    const bytes = length <= SCRATCH_LENGTH ? scratch : new Uint8Array(length);
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return convertWide(value);
      bytes[index] = code;
    }
    return convertBytes(bytes, 0, length);
  }

  function convertWide(text: string): Converted {
    if (LONE_SURROGATE.test(text)) return FAILURES["not-text"];
    return convertBytes(Buffer.from(text, "utf8"));
  }

  return {
    from,
    to,
    convert,
    convertBytes,
    keepsOrder: reader.keepsOrder && !trim,
    mayBecomeNull: emptyAsNull || rule.onError === "set-null",
  };
}

/** The reason a person can act on first: bytes that are no text, then blanks that `trim` would take away. */
function explain(failure: Failure, bytes: Uint8Array, start: number, end: number, trim: boolean): Failure {
  for (let index = start; index < end; index++) {
    if ((bytes[index] ?? 0) > 0x7f) {
      if (!isUtf8(bytes.subarray(start, end))) return FAILURES["not-text"];
      break;
    }
  }
  if (!trim && start < end && (isBlank(bytes[start]) || isBlank(bytes[end - 1]))) return FAILURES["blanks-around"];
  return failure;
}
