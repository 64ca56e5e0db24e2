// Comments that a catalog keeps and the metadata lacks (Glue: of the table and of its columns): counted, or adopted
// into an imported declaration, whose next plan then writes them to the table. Pure.
import type { WrittenField, WrittenTable, WrittenUse } from "../desired/written-table.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { CatalogComment } from "../iceberg/catalog-state.ts";

/** A comment that the table has in its metadata is never replaced. */
export function adoptComments(table: WrittenTable, comments: readonly CatalogComment[]): WrittenTable {
  const byColumn = new Map(comments.map(({ column, comment }) => [column, comment]));
  const own = byColumn.get(null);
  const columns = table.columns.map((column): WrittenField | WrittenUse => {
    const comment = "use" in column ? undefined : byColumn.get(column.name);
    return "use" in column || comment === undefined || column.comment !== undefined ? column : { ...column, comment };
  });
  return { ...table, ...(own === undefined || table.comment !== undefined ? {} : { comment: own }), columns };
}

/** `label`: what a person calls the catalog. */
export function commentsNote(
  table: string,
  label: string,
  comments: readonly CatalogComment[],
  adopted: boolean,
): readonly Diagnostic[] {
  if (comments.length === 0) return [];
  const count = comments.length === 1 ? "1 comment lives" : `${comments.length} comments live`;
  return [
    diagnostic("import-catalog-comments", {
      what: adopted
        ? `${count} only in ${label}: taken over, and the next plan writes them to the table`
        : `${count} only in ${label}`,
      mend: adopted
        ? "Nothing: read the plan, and apply it"
        : "`floeplan import --comments glue` adopts them; else they stay where they are",
      table,
    }),
  ];
}
