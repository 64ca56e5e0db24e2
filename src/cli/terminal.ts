// What the result's stream can do: is it a terminal, does it take colour, how wide is a line. Pure: stream facts
// and variables come in.
export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly colour: boolean;
  /** Cells in a line. */
  readonly width: number;
}

interface StreamFacts {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;
export type ColourChoice = "auto" | "always" | "never";

/** Logs and files have no width of their own. */
const WIDTH_WITHOUT_TERMINAL = 120;
const WIDTH_OF_TERMINAL = 80;
const NARROWEST = 20;
/** Lines that are longer are hard to read, however wide the window. */
const WIDEST = 160;

export function terminalFacts(stream: StreamFacts, variables: Variables, choice: ColourChoice): TerminalFacts {
  const isTerminal = stream.isTTY === true;
  return { isTerminal, colour: takesColour(isTerminal, variables, choice), width: widthOf(stream, isTerminal, variables) };
}

/** `NO_COLOR` and `FORCE_COLOR` count when they are set and not empty; `--color` beats both. */
function takesColour(isTerminal: boolean, variables: Variables, choice: ColourChoice): boolean {
  if (choice !== "auto") return choice === "always";
  if (isSet(variables["NO_COLOR"])) return false;
  if (isSet(variables["FORCE_COLOR"])) return variables["FORCE_COLOR"] !== "0";
  return isTerminal && variables["TERM"] !== "dumb";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

function widthOf(stream: StreamFacts, isTerminal: boolean, variables: Variables): number {
  const said = Number(variables["COLUMNS"] ?? "");
  // A terminal that nobody has told its size says 0.
  const own = isTerminal && stream.columns !== undefined && stream.columns > 0 ? stream.columns : null;
  const width = own ?? (Number.isInteger(said) && said > 0 ? said : isTerminal ? WIDTH_OF_TERMINAL : WIDTH_WITHOUT_TERMINAL);
  return Math.min(Math.max(width, NARROWEST), WIDEST);
}
