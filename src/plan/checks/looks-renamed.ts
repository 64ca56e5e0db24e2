// An edited `table:` name would make an empty new table beside the old one. A new table whose columns are mostly those
// of a table that floeplan applied and that no file declares any more is therefore blocked until the author decides.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { formatPath } from "../../iceberg/field-path.ts";
import type { LiveTable } from "../../iceberg/live-table.ts";
import { currentSchema } from "../../iceberg/table-metadata.ts";
import { formatType } from "../../iceberg/type-text.ts";
import { declaredTypeText } from "../declared-type.ts";
import type { TablePair } from "../table-pair.ts";

/** From this share of equal columns on, a table is taken for the same one. */
const MOSTLY = 0.7;

export function looksRenamed(pair: TablePair): Diagnostic[] {
  const { spec, live, lookalikes = [] } = pair;
  if (live !== null || spec.isNew) return [];
  const [old] = lookalikes.filter((one) => shareOfEqualColumns(pair, one) >= MOSTLY);
  if (old === undefined) return [];
  const name = formatPath([...old.identifier.namespace, old.identifier.name]);
  return [
    diagnostic("table-looks-renamed", {
      what: `Cannot make the new table "${spec.name}": it looks like "${name}" under another name`,
      why: `Most of its columns are those of "${name}", which floeplan applied and no file declares any more; the new table would be empty`,
      mend: `Write the old name back; rename the table in the catalog first; or say that an empty new table is meant: \`new: true\``,
      place: spec.place,
      table: spec.name,
    }),
  ];
}

function shareOfEqualColumns({ spec }: TablePair, { metadata }: LiveTable): number {
  const live = new Map(currentSchema(metadata).fields.map((field) => [field.name, formatType(field.type)]));
  const equal = spec.columns.filter((column) => live.get(column.name) === declaredTypeText(column.type)).length;
  return equal / Math.max(1, spec.columns.length, live.size);
}
