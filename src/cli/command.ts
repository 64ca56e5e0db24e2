// How a command is described: its options, its operand, its formats, and the code behind it. A command without `load`
// is not built: it is absent everywhere. Knows no command by name.
import type { CommandContext } from "../commands/ports.ts";
import type { CommandResult } from "../commands/result.ts";
import type { FormatName } from "../report/format-names.ts";
import type { ArgumentsOf, OperandSpec, OptionSpecs } from "./options.ts";

export interface CommandModule<A> {
  readonly run: (context: CommandContext, args: A) => Promise<CommandResult>;
}

interface CommandParts<S extends OptionSpecs, O extends OperandSpec | null> {
  readonly name: string;
  /** One line, no full stop. */
  readonly summary: string;
  readonly options: S;
  readonly operand: O;
  readonly formats: readonly FormatName[];
  /** Ctrl-C: stop `at-once`, or `finish` what is being written. */
  readonly interrupt: "at-once" | "finish";
  readonly examples: readonly string[];
}

/** A command whose argument types are settled: whoever has the spec can only call it with what was parsed by it. */
export interface Command extends CommandParts<OptionSpecs, OperandSpec | null> {
  /** Null: not built. */
  readonly load: (() => Promise<CommandModule<ParsedArguments>>) | null;
}

/** By key: flag, text, number, list, or null. Made by parse-arguments.ts from the same spec. */
export type ParsedArguments = Readonly<Record<string, boolean | string | number | readonly string[] | null>>;

/** `A` is what the command's file wants; that the options say the same is checked here by the compiler. */
export function command<A, const S extends OptionSpecs, const O extends OperandSpec | null>(
  parts: CommandParts<S, O> & { readonly arguments: (parsed: ArgumentsOf<S, O>) => A },
  load: (() => Promise<CommandModule<A>>) | null,
): Command {
  const { arguments: settle, ...spec } = parts;
  if (load === null) return { ...spec, load: null };
  return {
    ...spec,
    load: async () => {
      const module = await load();
      // The parser gives every key of the spec the value type that ArgumentsOf names for it.
      return { run: (context, parsed) => module.run(context, settle(parsed as ArgumentsOf<S, O>)) };
    },
  };
}

export function builtCommands(commands: readonly Command[]): Command[] {
  return commands.filter((one) => one.load !== null);
}
