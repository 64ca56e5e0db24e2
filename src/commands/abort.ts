// `abort`: ends an interrupted conversion and deletes the files that only its journal names.
import { diagnostic } from "../diagnostics/diagnostic.ts";
import { plural } from "../diagnostics/number-words.ts";
import { abortConversion, journalledFiles } from "../rewrite/abort.ts";
import type { TableChangeArguments } from "./arguments.ts";
import { confirmed, isResult, openOne } from "./one-target.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";

export async function run(context: CommandContext, args: TableChangeArguments): Promise<CommandResult> {
  const one = await openOne(context, args);
  if (isResult(one)) return one;
  const { target, live, opened } = one;
  const { name } = target.spec;
  const store = target.catalog.storeFor(live);
  const files = await journalledFiles(store, live.metadata);
  if (files.length === 0)
    return { exit: "ok", output: { kind: "text", text: `${name} has no interrupted conversion.\n` }, diagnostics: [] };
  const finished = plural(files.length, "finished file", "finished files");
  if (!(await confirmed(context, args, `Delete the ${finished} of the interrupted conversion of ${name}?`))) {
    const refused = diagnostic("not-approved", {
      what: `Cannot abort the conversion of "${name}": nobody agreed`,
      why: `${finished} would be deleted; no snapshot names ${files.length === 1 ? "it" : "them"}`,
      mend: "Answer yes at a terminal, or say it with `--yes`. To go on with the conversion instead, run the apply again",
      table: name,
    });
    return { exit: "refused", output: null, diagnostics: [refused], sources: opened.sources };
  }
  const { removed, kept } = await abortConversion(store, live.metadata);
  const left =
    kept === 0
      ? ""
      : `; ${plural(kept, "file was", "files were")} left alone: a snapshot names ${kept === 1 ? "it" : "them"}, or the store cannot delete`;
  return {
    exit: "ok",
    output: { kind: "text", text: `Aborted the conversion of ${name}: ${plural(removed, "file", "files")} deleted${left}.\n` },
    diagnostics: [],
  };
}
