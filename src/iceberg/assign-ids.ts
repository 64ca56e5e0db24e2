// Fresh field ids for the schema of a new table, in the order of the reference implementation: the fields of a struct
// first, then what is inside each of them. Knows nothing of existing tables.
import { assembleFields } from "./schema-update-assemble.ts";
import { appendNode, emptyDraft } from "./schema-update-draft.ts";
import type { Field, Schema } from "./type.ts";
import { walkFields } from "./walk.ts";

export interface FreshSchema {
  /** Schema id 0; identifier ids follow their fields. */
  readonly schema: Schema;
  readonly lastColumnId: number;
  /** Given id → assigned id. Given ids that occur twice lead to the first field that had them. */
  readonly newIds: ReadonlyMap<number, number>;
}

/** The schema of a new table; ids in it are placeholders, and those of the identifier fields must be unique. */
export function assignFreshIds(given: Pick<Schema, "fields" | "identifierFieldIds" | "extra">): FreshSchema {
  let lastColumnId = 0;
  const nextId = (): number => {
    lastColumnId += 1;
    return lastColumnId;
  };
  const fields = renumberFields(given.fields, nextId);
  const newIds = new Map<number, number>();
  const before = walkFields(given.fields);
  for (const node of walkFields(fields)) {
    const old = before.next().value;
    if (old !== undefined && !newIds.has(old.id)) newIds.set(old.id, node.id);
  }
  const identifierFieldIds = given.identifierFieldIds.map((id) => newIds.get(id) ?? id).sort((a, b) => a - b);
  return {
    schema: { schemaId: 0, identifierFieldIds, fields, ...(given.extra === undefined ? {} : { extra: given.extra }) },
    lastColumnId,
    newIds,
  };
}

function renumberFields(fields: readonly Field[], nextId: () => number): readonly Field[] {
  const draft = emptyDraft();
  const holder = { role: "field" as const, name: "", required: true, field: null };
  const top = appendNode(draft, draft.root, 0, { ...holder, type: { kind: "struct", fields } }, nextId);
  return assembleFields(top);
}
