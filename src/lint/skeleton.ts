// What a name looks like, as text: two names with one skeleton cannot be told apart by eye (UTS 39, "Confusable
// Detection"). Pure text; knows nothing of tables and of what is done about it.
import { LOOK_ALIKES } from "./look-alikes.ts";

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** The name with every character replaced by the one of ASCII that it looks like, unseen ones left out. */
export function skeletonOf(name: string): string {
  if (/^[A-HJ-Za-z2-9_.-]*$/.test(name)) return name;
  // Twice: the table has some characters whose other form looks different (the long s), and most have parts.
  return lookAlikes(lookAlikes(name).normalize("NFKD").replace(UNSEEN, ""));
}

function lookAlikes(text: string): string {
  let result = "";
  for (const character of text) result += LOOK_ALIKES.get(character) ?? character;
  return result;
}
