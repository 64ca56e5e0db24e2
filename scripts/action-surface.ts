// action.yml and the tables of docs/action.md, made from the tables of inputs and outputs.
import { INPUTS } from "../src/action/inputs.ts";
import { OUTPUTS } from "../src/action/outputs.ts";

export function actionYaml(): string {
  const inputs = INPUTS.flatMap(({ name, description, default: usual, values, expression }) => [
    `  ${name}:`,
    `    description: ${quoted(withValues(description, values))}`,
    ...(usual === null ? ["    required: true"] : [`    default: ${quoted(expression ?? usual)}`]),
  ]);
  const outputs = Object.entries(OUTPUTS).flatMap(([name, description]) => [
    `  ${name}:`,
    `    description: ${quoted(description)}`,
  ]);
  return [
    "# Made by `npm run docs` from src/action/inputs.ts and src/action/outputs.ts.",
    "name: floeplan",
    "description: Plans Apache Iceberg tables against YAML files on the pull request and applies on merge",
    "branding: { icon: layers, color: blue }",
    "inputs:",
    ...inputs,
    "outputs:",
    ...outputs,
    "runs:",
    "  using: node24",
    "  main: dist/action.js",
    "",
  ].join("\n");
}

export function inputsMarkdown(): string {
  const rows = INPUTS.map(({ name, description, default: usual, values, expression }) => {
    const shown = usual === null ? "(required)" : (expression ?? usual) === "" ? "" : `\`${expression ?? usual}\``;
    return `| \`${name}\` | ${withValues(description, values)} | ${shown} |`;
  });
  return ["| Input | What it says | Default |", "|---|---|---|", ...rows].join("\n");
}

export function outputsMarkdown(): string {
  const rows = Object.entries(OUTPUTS).map(([name, description]) => `| \`${name}\` | ${description} |`);
  return ["| Output | What it is |", "|---|---|", ...rows].join("\n");
}

function withValues(description: string, values: readonly string[] | undefined): string {
  return values === undefined ? description : `${description} One of ${values.map((one) => `\`${one}\``).join(", ")}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
