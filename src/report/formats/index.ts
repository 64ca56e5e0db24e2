// The formats that a report can be drawn in. A new one is a file here, a line below and a name in format-names.ts.
import type { FormatName } from "../format-names.ts";
import type { Report } from "../report.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown, type MarkdownOptions } from "./markdown.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

export interface RenderOptions {
  readonly terminal: TerminalOptions;
  readonly markdown: MarkdownOptions;
}

export interface Format {
  readonly render: (report: Report, options: RenderOptions) => string;
  /** True when secrets are taken out value by value already: doing it to the finished text could break its syntax. */
  readonly redactsItself: boolean;
}

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  terminal: { render: (report, options) => renderTerminal(report, options.terminal), redactsItself: false },
  markdown: { render: (report, options) => renderMarkdown(report, options.markdown), redactsItself: false },
  json: { render: renderJson, redactsItself: true },
};
