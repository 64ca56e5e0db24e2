// The only way to the job's log and to its annotations. The runner reads commands from the log, so every text passes
// through the escape that takes their sense away; annotations go through @actions/core alone.
import * as core from "@actions/core";
import type { Diagnostic, Severity } from "../diagnostics/diagnostic.ts";
import { redact } from "../diagnostics/redact.ts";
import { logLines, terminalText, visibleLines } from "../report/escape.ts";
import { findingText } from "./sentences.ts";

export interface Log {
  /** Lines of ours, already drawn. */
  readonly write: (text: string) => void;
  /** One sentence. */
  readonly say: (sentence: string) => void;
  /** One annotation without a place. */
  readonly warn: (sentence: string) => void;
  readonly annotate: (diagnostics: readonly Diagnostic[], prefix: string) => void;
}

/** GitHub shows ten of a level for a step; the last says how many are not shown. */
const SHOWN = 9;
const LONGEST = 4000;

export function createLog(stdout: { readonly write: (text: string) => unknown }): Log {
  const write = (text: string): void => {
    const lines = visibleLines(redact(text.replace(/\n$/, ""))).join("\n");
    stdout.write(logLines(`${lines}\n`));
  };
  const emit: Readonly<Record<Severity, (message: string, properties?: core.AnnotationProperties) => void>> = {
    error: core.error,
    warning: core.warning,
    note: core.notice,
  };
  return {
    write,
    say: (sentence) => {
      write(terminalText(sentence));
    },
    warn: (sentence) => {
      core.warning(terminalText(sentence));
    },
    annotate: (diagnostics, prefix) => {
      for (const severity of ["error", "warning", "note"] as const) {
        const ofLevel = diagnostics.filter((one) => one.severity === severity);
        for (const one of ofLevel.slice(0, SHOWN)) emit[severity](findingText(one).slice(0, LONGEST), propertiesOf(one, prefix));
        const left = ofLevel.length - SHOWN;
        if (left > 0) emit[severity](`and ${left} more: they are in the job's summary`);
      }
    },
  };
}

function propertiesOf({ code, place }: Diagnostic, prefix: string): core.AnnotationProperties {
  if (place === undefined) return { title: code };
  return {
    title: code,
    file: terminalText(`${prefix}${place.file}`),
    startLine: place.line,
    ...(place.endLine === undefined ? {} : { endLine: place.endLine }),
    ...(place.endLine === undefined || place.endLine === place.line ? { startColumn: place.column } : {}),
  };
}
