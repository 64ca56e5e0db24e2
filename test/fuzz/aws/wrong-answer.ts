// A wrong answer of a service over HTTP as a fuzz input: in which scene of which call, how often, with or without the
// call's effect, and what is sent. Made from right answers and from the service's errors. Knows no service.
import { parseJson } from "../../../src/iceberg/json-parse.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { NAMES, NUMBERS } from "../mutate/hostile.ts";
import { mutateTree } from "../mutate/json.ts";
import { mutateText, utf8WithSurrogates } from "../mutate/text.ts";
import { printJson, type Tree, treeOf } from "../mutate/tree.ts";
import type { Random } from "../random.ts";

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** `cut`: the connection ends in the body. `drop`: it ends before an answer. */
export type Way = "whole" | "cut" | "drop";

export interface WrongAnswer extends Answer {
  /** What the client is about to do. */
  readonly scene: string;
  readonly operation: string;
  /** Calls of the operation that are answered right before. */
  readonly skip: number;
  /** How many are answered wrong; all others are right. */
  readonly times: number;
  readonly hasEffect: boolean;
  readonly way: Way;
}

/** A right answer, where it was given, and its body as a tree where it is JSON. */
export interface Seed {
  readonly scene: string;
  readonly operation: string;
  readonly index: number;
  readonly headers: Headers;
  readonly text: string;
  readonly tree: Tree | null;
}

export function seedOf(seed: Omit<Seed, "tree">): Seed {
  return { ...seed, tree: /^[[{]/.test(seed.text) ? treeOf(parseJson(seed.text)) : null };
}

/** An error in the words of the service. */
export type ErrorBody = (code: string, message: string) => Pick<Answer, "headers"> & { readonly text: string };

const STATUSES = [
  200, 200, 200, 200, 200, 200, 204, 206, 301, 307, 400, 400, 400, 403, 404, 408, 409, 412, 413, 416, 429, 500, 503,
];
const ALWAYS = 99;

/** The head's words, the headers, an empty line, the body. */
function printWrong(wrong: WrongAnswer): Uint8Array {
  const { scene, operation, skip, times, hasEffect, way, status, headers, body } = wrong;
  const head = [scene, operation, skip, times, hasEffect ? "done" : "not", way, status].join(" ");
  const lines = [head, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""];
  return new Uint8Array(Buffer.concat([Buffer.from(lines.join("\n"), "latin1"), body]));
}

export function readWrong(input: Uint8Array): WrongAnswer {
  const bytes = Buffer.from(input);
  const end = Math.max(0, bytes.indexOf("\n\n"));
  const [head = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\n");
  const [scene = "", operation = "", skip, times, effect, way, status] = head.split(" ");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    scene,
    operation,
    skip: Number(skip),
    times: Number(times),
    hasEffect: effect === "done",
    way: way === "cut" || way === "drop" ? way : "whole",
    status: Number(status),
    headers: Object.fromEntries(headers),
    body: new Uint8Array(bytes.subarray(end + 2)),
  };
}

export interface Words {
  readonly errorBody: ErrorBody;
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  /** Headers that mean something to the client, with values that it knows. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function makeWrong(seeds: readonly Seed[], words: Words, random: Random): Uint8Array {
  const seed = random.pick(seeds);
  const status = random.pick(STATUSES);
  const isError = random.once(30) ? status < 300 : status >= 300;
  const source = isError ? errorSeed(seed, words, random) : seed;
  const other = random.once(2) ? source : random.pick(seeds);
  const { scene, operation, index } = seed;
  return printWrong({
    scene,
    operation,
    skip: random.once(4) ? random.below(3) : index,
    times: random.pick([1, 1, 1, 2, ALWAYS]),
    hasEffect: random.once(2),
    way: random.once(30) ? random.pick(["cut", "drop"]) : "whole",
    status,
    headers: mutatedHeaders(source.headers, words, random),
    body: mutatedBody(source, other, random),
  });
}

function errorSeed(seed: Seed, { errorBody, codes, messages }: Words, random: Random): Seed {
  const code = random.once(12) ? random.pick(NAMES) : random.pick(codes);
  const message = random.once(12) ? random.pick(NAMES) : longer(random.pick(messages), random);
  const { headers, text } = errorBody(code, message);
  return seedOf({ ...seed, headers, text });
}

/** Words that come again and again are what patterns over them are slow at. */
function longer(message: string, random: Random): string {
  if (!random.once(10)) return message;
  const words = message.split(" ");
  const from = random.below(words.length);
  const piece = ` ${words.slice(from, from + random.few(4)).join(" ")}`;
  const end = random.once(2) ? "\n" : "";
  return `${words.slice(0, from).join(" ")}${piece.repeat(random.pick([20, 1000, 8000]))}${words.slice(from).join(" ")}${end}`;
}

function mutatedBody(source: Seed, other: Seed, random: Random): Uint8Array {
  if (random.once(25))
    return Buffer.from(random.pick(["", "null", "[]", "{}", "5", '"x"', "<html>Bad gateway</html>", " ", "true"]));
  if (random.once(8)) return Buffer.from(random.once(3) ? other.text : source.text);
  if (source.tree === null) return utf8WithSurrogates(mutateText(source.text, random, other.text, 3));
  const text = utf8WithSurrogates(printJson(mutateTree(source.tree, random, other.tree ?? source.tree, 3)));
  return random.once(15) ? mutateBytes(text, random, text) : text;
}

function mutatedHeaders(headers: Headers, words: Words, random: Random): Headers {
  const changed: Record<string, string> = { ...headers };
  for (let left = random.once(3) ? random.few(3) : 0; left > 0; left--) {
    const [name, value] = random.pick(words.headers);
    if (random.once(4)) Reflect.deleteProperty(changed, random.pick(Object.keys({ ...changed, [name]: "" })));
    else changed[name] = random.once(2) ? value : valueNear(value, random);
  }
  return changed;
}

/** Whatever a header can hold. */
function valueNear(value: string, random: Random): string {
  const text = random.pick([
    random.pick(NUMBERS),
    random.pick(NAMES),
    `${value},${value}`,
    value.slice(1),
    `${value}#x:y`,
    `:${value}`,
  ]);
  return text
    .replace(/[^\x21-\x7e ]/g, "")
    .trim()
    .slice(0, 2000);
}
