// Keys that people know from other tools, and the key that says it here. Told, never taken.
const WORDS: Readonly<Record<string, readonly string[]>> = {
  columns: ["fields", "schema"],
  comment: ["description", "desc", "doc", "documentation"],
  convert: ["cast", "conversion", "using"],
  dropped: ["deleted", "drops", "removed"],
  fields: ["children", "columns", "properties"],
  "identifier-fields": ["identifier", "keys", "primary-key", "unique-key"],
  "partition-by": ["partition-spec", "partitioned-by", "partitions"],
  properties: ["options", "tblproperties"],
  "renamed-from": ["aliases", "old-name", "previous-name", "rename-from", "was"],
  required: ["not-null", "nullable", "optional"],
  "sort-by": ["cluster-by", "order-by", "sorted-by"],
  table: ["id", "name"],
  unmanaged: ["ignore", "ignored"],
};

/** The key that another tool's word stands for, where it is known at this place; else undefined. */
export function keyFor(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase().replaceAll("_", "-");
  return known.find((key) => WORDS[key]?.includes(typed));
}
