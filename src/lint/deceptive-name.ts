// What in one name can deceive the eye: characters that show nothing, letters of several scripts in one word, words
// that look like others. Pure text; knows nothing of tables, and leaves two names that look alike to the rule.
import { mixedScripts, type Script, scriptsOf } from "./scripts.ts";
import { skeletonOf } from "./skeleton.ts";
import { character, listed, quoted } from "./words.ts";

/** In words that follow the name: `mixes Latin and Greek letters in one word`. */
export interface Deception {
  readonly what: string;
  readonly why?: string;
  readonly mend: string;
}

const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const OTHER_BLANK = /(?! )\p{Zs}/gu;
const WORD = /[\p{L}\p{M}]+/gu;
const ASCII = /^[\x20-\x7E]*$/;

/** The worst thing about the name, or null. `scripts`: those in which a word that looks like another is meant. */
export function deceptionOf(name: string, scripts: readonly Script[]): Deception | null {
  // Most names; what this lets pass, none of the checks would find.
  if (/^[A-Za-z0-9_]+$/.test(name)) return null;
  return unseenIn(name) ?? blankIn(name) ?? otherFormIn(name) ?? wordIn(name, scripts);
}

function unseenIn(name: string): Deception | null {
  const [unseen] = name.match(UNSEEN) ?? [];
  if (unseen === undefined) return null;
  return {
    what: `holds a character that ${TURNING.test(unseen) ? "turns the direction of the text" : "cannot be seen"}: ${character(unseen)}`,
    mend: writeInstead(name.replace(UNSEEN, ""), "Write it without that character"),
  };
}

function blankIn(name: string): Deception | null {
  const [blank] = name.match(OTHER_BLANK) ?? [];
  if (blank !== undefined) {
    return {
      what: `holds a blank that is none of the keyboard: ${character(blank)}`,
      mend: writeInstead(name.replace(OTHER_BLANK, " ").trim(), "Write it without that blank"),
    };
  }
  if (name === name.trim()) return null;
  return { what: "begins or ends with a blank", mend: writeInstead(name.trim(), "Write it without that blank") };
}

/** Wide and mathematical letters, ligatures, accents that stand alone: text that another text is shown like. */
function otherFormIn(name: string): Deception | null {
  const usual = name.normalize("NFKC");
  if (usual === name) return null;
  const [odd] = Array.from(name).filter((one) => one.normalize("NFKC") !== one);
  if (odd === undefined) {
    return {
      what: "holds an accent apart from its letter",
      why: "The same name typed on a keyboard is another name",
      mend: `Write ${quoted(usual)}, as keyboards do`,
    };
  }
  return {
    what: `holds ${character(odd)}, another form of ${quoted(odd.normalize("NFKC"))}`,
    mend: writeInstead(usual, "Write it in usual letters"),
  };
}

function wordIn(name: string, scripts: readonly Script[]): Deception | null {
  for (const [word] of name.matchAll(WORD)) {
    const found = mixIn(word) ?? foreignIn(word, scripts);
    if (found !== null) return found;
  }
  return null;
}

function mixIn(word: string): Deception | null {
  const mixed = mixedScripts(word);
  if (mixed === null) return null;
  const like = Array.from(word).find((letter) => !ASCII.test(letter) && ASCII.test(skeletonOf(letter)));
  const latin = skeletonOf(word);
  return {
    what: `mixes ${listed(mixed)} letters in one word, ${quoted(word)}`,
    ...(like === undefined
      ? {}
      : { why: `${character(like)} looks like ${quoted(skeletonOf(like))} and is ${listed(scriptsOf(like))}` }),
    mend: ASCII.test(latin) ? `Write ${quoted(latin)} on a Latin keyboard` : "Write each word in one script",
  };
}

/** A word of another script that reads as a Latin one. Latin letters with a shape of their own are left to the pairs. */
function foreignIn(word: string, scripts: readonly Script[]): Deception | null {
  const latin = skeletonOf(word);
  const used = [...new Set(Array.from(word).flatMap(scriptsOf))];
  if (ASCII.test(word) || !ASCII.test(latin) || used.includes("Latin") || scripts.some((one) => used.includes(one))) return null;
  return {
    what: `has a word in ${listed(used)} letters that looks like ${quoted(latin)}`,
    why: "Whoever types what is shown gets another name",
    mend: `Write ${quoted(latin)} on a Latin keyboard, or list the script under \`scripts\` of the rule where it is meant`,
  };
}

function writeInstead(better: string, otherwise: string): string {
  return better === "" ? otherwise : `Write ${quoted(better)}`;
}
