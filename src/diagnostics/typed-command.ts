// Commands of ours inside a sentence, to be copied into a shell as they stand. Plain names only: any other is left to the
// reader, so that no name can be a word of the shell. Pure.

const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** `floeplan release sales.orders -e prod` in backticks; a table or environment of another kind is `TABLE` or `ENV`. */
export function typedCommand(verb: string, table: string | null, environment: string): string {
  const operand = table === null ? "" : ` ${PLAIN.test(table) ? table : "TABLE"}`;
  return `\`floeplan ${verb}${operand} -e ${PLAIN.test(environment) ? environment : "ENV"}\``;
}
