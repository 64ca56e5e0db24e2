// Short spellings of rules and bound converters for the tests of conversion/.
import { bindConversion, isConverter } from "../../src/conversion/index.ts";
import type { Converter } from "../../src/conversion/conversion.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";

export const STRING: PrimitiveType = { kind: "string" };

/** A rule with the defaults of a table file. */
export function rule(parts: Partial<ConversionRule> = {}): ConversionRule {
  return { from: "string", onError: "fail", trim: false, emptyAsNull: false, writersStopped: false, ...parts };
}

export function converter(to: PrimitiveType, parts: Partial<ConversionRule> = {}, from: PrimitiveType = STRING): Converter {
  const bound = bindConversion(rule(parts), from, to);
  if (!isConverter(bound)) throw new Error(`${bound.code}: ${bound.what}. ${bound.why ?? ""}`);
  return bound;
}

export function finding(to: PrimitiveType, parts: Partial<ConversionRule> = {}, from: PrimitiveType = STRING): Diagnostic {
  const bound = bindConversion(rule(parts), from, to);
  if (isConverter(bound)) throw new Error("The rule was accepted");
  return bound;
}

/** A converter from string for every target, plain and with each argument that changes how a text is read. */
export function allConverters(): readonly Converter[] {
  const targets: readonly (readonly [PrimitiveType, Partial<ConversionRule>])[] = [
    [{ kind: "boolean" }, {}],
    [{ kind: "boolean" }, { trueValues: ["да", ""], falseValues: ["0"] }],
    [{ kind: "int" }, {}],
    [{ kind: "long" }, {}],
    [{ kind: "double" }, {}],
    [{ kind: "decimal", precision: 9, scale: 2 }, {}],
    [{ kind: "decimal", precision: 38, scale: 38 }, {}],
    [{ kind: "date" }, {}],
    [{ kind: "date" }, { format: "dd/MM/yyyy" }],
    [{ kind: "timestamp" }, {}],
    [{ kind: "timestamp" }, { format: "yyyyMMddHHmmssSSSSSSSSS" }],
    [{ kind: "timestamptz" }, {}],
    [{ kind: "timestamptz" }, { zone: "+01:00" }],
    [{ kind: "timestamptz" }, { format: "yyyyMMddHHmmssXXX" }],
  ];
  return targets.flatMap(([to, parts]) => [converter(to, parts), converter(to, { ...parts, trim: true })]);
}
