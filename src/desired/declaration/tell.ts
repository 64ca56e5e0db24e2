// How checks over a whole declaration report. Types only.
import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import type { DiagnosticParts, Place } from "../../diagnostics/diagnostic.ts";

export type Tell = (code: DiagnosticCode, place: Place, parts: DiagnosticParts) => void;
