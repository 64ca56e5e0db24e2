// A violation of a schema with the way to its value, and what is told about it. Types only.
import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import type { DiagnosticParts } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../yaml/source-text.ts";
import type { MapEntry, YamlNode } from "../yaml/tree.ts";
import type { SchemaSpot } from "./schemas.ts";
import type { Violation } from "./validators.js";

/** A value on the way from the root, with what holds for it. The root's key is the empty text. */
export interface Step {
  readonly key: string | number;
  readonly node: YamlNode;
  readonly spot: SchemaSpot | null;
  readonly entry: MapEntry | null;
}

export interface ViolationSpot {
  readonly violation: Violation;
  /** From the root to the value. */
  readonly steps: readonly Step[];
}

export interface Told extends DiagnosticParts {
  readonly code: DiagnosticCode;
  readonly span: Span;
}
