// One comment that is kept up to date: found by its marker, written anew, never twice. Works on any forge. Two runs
// that both create it end with one: the older is kept. Knows nothing of what the text says.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, done, isDone } from "./forge-answer.ts";
import type { Comment, Comments } from "./forge-comment.ts";

export interface StickyComment {
  /** How the text begins, up to where it changes: no other comment of ours begins so. */
  readonly marker: string;
  readonly body: string;
  /** Of a text that begins with the marker: is it history, left as it is? Without: none is. */
  readonly isClosed?: (body: string) => boolean;
  /** `recreate`: a new comment at the end, and the old one goes. Without: `update`. */
  readonly mode?: "update" | "recreate";
  /** False: only a comment that is there is written. */
  readonly mayCreate?: boolean;
}

export interface StickyOutcome {
  readonly outcome: "created" | "updated" | "unchanged" | "absent";
  /** Null: absent. */
  readonly comment: Comment | null;
}

export async function writeSticky(comments: Comments, number: number, sticky: StickyComment): Promise<Answer<StickyOutcome>> {
  if (!sticky.body.startsWith(sticky.marker)) throw new ToolError("internal", "A sticky comment does not begin with its marker");
  const found = await openOnes(comments, number, sticky);
  if (!isDone(found)) return found;
  const [first, ...others] = found.value;
  if (first !== undefined && sticky.mode !== "recreate") {
    const kept = await keep(comments, first, others, sticky.body);
    // Deleted since it was listed: as if it had never been there.
    if (kept.kind !== "missing") return kept;
  }
  if (sticky.mayCreate === false && first === undefined) return done({ outcome: "absent", comment: null });
  return await create(comments, number, sticky);
}

async function create(comments: Comments, number: number, sticky: StickyComment): Promise<Answer<StickyOutcome>> {
  const created = await createOnce(comments, number, sticky);
  if (!isDone(created)) return created;
  const again = await openOnes(comments, number, sticky);
  const all = isDone(again) ? again.value : [];
  const ours = created.value;
  const older = all.find((one) => one.id !== ours.id && one.id < ours.id);
  if (sticky.mode === "recreate") {
    await removeAll(
      comments,
      all.filter((one) => one.id < ours.id),
    );
    return done({ outcome: "created", comment: ours });
  }
  if (older === undefined) return done({ outcome: "created", comment: ours });
  const kept = await keep(comments, older, [ours], sticky.body);
  return isDone(kept) ? kept : done({ outcome: "created", comment: ours });
}

/** A call without an answer may have worked: it is looked for before it is made once more. */
async function createOnce(comments: Comments, number: number, sticky: StickyComment): Promise<Answer<Comment>> {
  try {
    return await comments.create(number, sticky.body);
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "unavailable") throw error;
    const found = await openOnes(comments, number, sticky);
    const same = isDone(found) ? found.value.find((one) => isSame(one.body, sticky.body)) : undefined;
    return same === undefined ? await comments.create(number, sticky.body) : done(same);
  }
}

/** Writes the first and takes the others away. */
async function keep(
  comments: Comments,
  first: Comment,
  others: readonly Comment[],
  body: string,
): Promise<Answer<StickyOutcome>> {
  if (isSame(first.body, body)) {
    await removeAll(comments, others);
    return done({ outcome: "unchanged", comment: first });
  }
  const updated = await comments.update(first.id, body);
  if (!isDone(updated)) return updated;
  await removeAll(comments, others);
  return done({ outcome: "updated", comment: updated.value });
}

/** Best effort: another run may be doing the same, and what stays is taken away the next time. */
async function removeAll(comments: Comments, gone: readonly Comment[]): Promise<void> {
  for (const one of gone) {
    try {
      await comments.remove(one.id);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }
}

async function openOnes(comments: Comments, number: number, sticky: StickyComment): Promise<Answer<readonly Comment[]>> {
  const own = await comments.own(number, sticky.marker);
  if (!isDone(own)) return own;
  return done((own.value ?? []).filter((one) => sticky.isClosed?.(one.body) !== true));
}

/** A forge may change line ends and cut blanks at the end. */
function isSame(a: string, b: string): boolean {
  const plain = (text: string): string => text.replaceAll("\r\n", "\n").trimEnd();
  return plain(a) === plain(b);
}
