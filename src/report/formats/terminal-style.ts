// The colours of the terminal, by tone; with colour off every function gives its text back.
import picocolors from "picocolors";
import type { Tone } from "../report.ts";

export interface TerminalStyle {
  readonly tone: (tone: Tone, text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export function terminalStyle(colour: boolean): TerminalStyle {
  const colours = picocolors.createColors(colour);
  const byTone: Readonly<Record<Tone, (text: string) => string>> = {
    good: colours.green,
    added: colours.green,
    changed: colours.cyan,
    behaviour: colours.yellow,
    rewritten: colours.magenta,
    lost: (text) => colours.bold(colours.red(text)),
    drifted: colours.yellow,
    blocked: (text) => colours.bold(colours.red(text)),
    quiet: colours.dim,
  };
  return {
    tone: (tone, text) => (text === "" ? "" : byTone[tone](text)),
    bold: (text) => (text === "" ? "" : colours.bold(text)),
    dim: (text) => (text === "" ? "" : colours.dim(text)),
  };
}
