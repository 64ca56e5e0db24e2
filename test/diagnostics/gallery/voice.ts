// The wording guide as a check: what every message has in common, whoever worded it (sentence case, active, no
// contraction, no closing full stop, quotes that close, a remedy for every error).
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";

/** Words that the glossary has another word for. */
const OTHER_WORDS =
  /\b(?:nullable|cast to|attribute|state file|remote schema|actual schema|diff\b|hash of|upstream|blacklist|whitelist)\b/i;
const CONTRACTION = /\b(?:\w+n't|(?:it|that|there|here|what|let)'s|(?:you|we|they)'(?:re|ve|ll)|cannot be not)\b/i;
const EMPTY_PHRASE = /\b(?:invalid|illegal|please|oops|sorry|fatal|bad value|something went wrong)\b/i;

export interface Words {
  readonly what: string;
  readonly why?: string | undefined;
  readonly mend?: string | undefined;
}

export function faultsOf(one: Diagnostic): readonly string[] {
  return [
    ...faultsOfWords(one),
    ...(one.severity === "error" && one.mend === undefined ? ["an error without a remedy"] : []),
    ...(one.place === undefined && one.table === undefined && !WITHOUT_PLACE.has(one.code) ? ["no place and no table"] : []),
  ];
}

/** About a whole environment, a plan file or what was typed: there is no line and no table to point at. */
const WITHOUT_PLACE: ReadonlySet<string> = new Set([
  "approval-unknown",
  "deployment-unrestricted",
  "environment-action-only",
  "environment-observed",
  "plan-file-invalid",
]);

export function faultsOfWords({ what, why, mend }: Words): readonly string[] {
  const parts = Object.entries({ what, why, mend }).flatMap(([part, text]) =>
    text === undefined ? [] : [[part, text] as const],
  );
  return parts.flatMap(([part, text]) => {
    const prose = withoutData(text);
    const faults = [
      /^(?!floeplan\b)[a-z]+[ ,]/.test(text) ? "begins in lower case" : null,
      /[^.…]\.$/.test(text) ? "ends with a full stop" : null,
      part === "what" && /[.!?] [A-Z]/.test(prose) ? "is more than one sentence" : null,
      CONTRACTION.test(prose) ? "has a contraction" : null,
      EMPTY_PHRASE.test(prose) ? "has an empty phrase" : null,
      OTHER_WORDS.test(prose) ? "has a word that the glossary has another one for" : null,
      (text.match(/"/g) ?? []).length % 2 === 1 ? "has a quote that does not close" : null,
      (text.match(/`/g) ?? []).length % 2 === 1 ? "has a backtick that does not close" : null,
      / {2}|^ | $/.test(text) ? "has blanks too many" : null,
    ];
    return faults.flatMap((fault) => (fault === null ? [] : [`${part} ${fault}: ${text}`]));
  });
}

/** What stands in quotes or backticks is somebody else's. */
function withoutData(text: string): string {
  return text.replace(/"[^"]*"|`[^`]*`/g, '""');
}
