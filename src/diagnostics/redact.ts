// Takes secrets out of any text before it leaves the program. Knows the shapes of secrets, not where they
// come from; every sink (terminal, log, comment, file) passes its text through here.

// Lengths are bounded where a run could start at every character: the text may be hostile and long.
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}\b/g, "$1****"],
  [/\b(gh[pousr]_|github_pat_)[A-Za-z0-9_]{10,}\b/g, "$1****"],
  [/\beyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{10,}(\.[A-Za-z0-9_-]*)?/g, "eyJ****"],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^/\s:@]+:[^/\s@]+@/gi, "$1****:****@"],
  [/([?&](?:X-Amz-(?:Signature|Credential|Security-Token)|sig|token|access_token)=)[^&\s"']+/gi, "$1****"],
  [
    /\b(authorization|x-amz-security-token|secret[-_ ]?access[-_ ]?key|client[-_ ]?secret|password)(["']?\s*[:=]\s*["']?)(?:Bearer |Basic )?[^\s"',;]+/gi,
    "$1$2****",
  ],
];

/** The same, with every character in its place: spots in the text still fit, wherever it is cut later. */
export function redactInPlace(text: string): string {
  let result = text;
  for (const [shape, replacement] of SHAPES) {
    result = result.replace(shape, (secret) => starred(secret, secret.replace(shape, replacement)));
  }
  return result;
}

function starred(secret: string, redacted: string): string {
  let same = 0;
  while (same < secret.length && secret[same] === redacted[same]) same += 1;
  return secret.slice(0, same) + "*".repeat(secret.length - same);
}

/** The text without anything that looks like a credential. */
export function redact(text: string): string {
  let result = text;
  for (const [shape, replacement] of SHAPES) result = result.replace(shape, replacement);
  return result;
}
