// The editor of table files: any edit of a file without errors gives a file without errors, in which what was asked for is
// changed and nothing else.
import { isDeepStrictEqual } from "node:util";
import {
  addToTableList,
  insertField,
  removeField,
  removeFieldKey,
  removeFromTableList,
  removeTableKey,
  setFieldKey,
  setTableKey,
} from "../../../src/desired/edit-yaml.ts";
import { findField, findFieldList } from "../../../src/desired/field-spot.ts";
import { type ParsedYaml, parseYaml } from "../../../src/desired/parse-yaml.ts";
import { applyEdits } from "../../../src/desired/yaml/apply-edits.ts";
import { sourceText } from "../../../src/desired/yaml/source-text.ts";
import { findValue, type MapNode, toJson, type YamlNode } from "../../../src/desired/yaml/tree.ts";
import { hasErrors, type TextEdit } from "../../../src/diagnostics/diagnostic.ts";
import { utf8WithSurrogates } from "../mutate/text.ts";
import { type Random, randomOf } from "../random.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";
import { isTableFile, mutateYaml, yamlSeeds } from "./yaml.ts";

const FILE = "t.yaml";

export const editYaml: FuzzTarget = {
  name: "edit-yaml",
  about: "edits of table files in place: only what was asked for changes",
  isSeed: isTableFile,
  open: (files) => {
    const seeds = yamlSeeds(files);
    return {
      make: (random) => utf8WithSurrogates(mutateYaml(seeds, random)),
      use: (input) => useText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(input), randomOf(input.length, input[0] ?? 0)),
    };
  },
};

interface Asked {
  readonly what: string;
  readonly edits: readonly TextEdit[] | null;
  /** Changes a copy of the plain data. */
  readonly expect: (data: Data) => void;
}

type Data = Record<string, unknown>;

function useText(text: string, random: Random): Outcome {
  if (text.length > 20_000) return refused("too long to edit");
  const parsed = parseYaml(sourceText(FILE, text));
  const { root } = parsed;
  if (root === null || hasErrors(parsed.diagnostics)) return refused(parsed.diagnostics[0]?.code ?? "no tree");
  if (root.kind !== "map" || root.entries.length === 0) return refused("no map");
  const asked = requests(parsed, root, random).filter((one) => one.edits !== null);
  // Reading again is what takes time: an input is for two of the edits.
  for (const ask of [random.pick(asked), random.pick(asked)]) {
    const after = applyEdits(text, ask.edits ?? []);
    const again = parseYaml(sourceText(FILE, after));
    const wanted = structuredClone(toJson(root)) as Data;
    ask.expect(wanted);
    if (again.root === null || hasErrors(again.diagnostics)) {
      throw new WrongAcceptance(`${ask.what}: the file is not read any more: ${again.diagnostics[0]?.what ?? ""}\n${after}`);
    }
    if (!isDeepStrictEqual(toJson(again.root), wanted)) {
      throw new WrongAcceptance(`${ask.what}: something else has changed\n${after}\n${JSON.stringify(wanted)}`);
    }
  }
  return ACCEPTED;
}

function requests(file: ParsedYaml, root: MapNode, random: Random): readonly Asked[] {
  const key = random.pick(root.entries).key.text;
  const paths = fieldPaths(root);
  const path = paths.length === 0 ? ["nothing"] : random.pick(paths);
  const parent = path.slice(0, random.below(path.length + 1));
  const list = findFieldList(root, parent);
  const field = { name: "floeplan_fuzz", type: { kind: "long" as const }, required: true, comment: "a: b #c" };
  const written = { name: "floeplan_fuzz", type: "long", required: true, comment: "a: b #c" };
  const index = list === null ? 0 : random.below(list.items.length + 1);
  const spot = findField(root, path);
  const lists = root.entries.filter((entry) => entry.value.kind === "list").map((entry) => entry.key.text);
  const listKey = lists.length > 0 && random.once(2) ? random.pick(lists) : "unmanaged";
  const value = findValue(root, listKey);
  const at = value?.kind === "list" ? random.below(value.items.length + 1) : 0;
  return [
    {
      what: "set a key",
      edits: setTableKey(file, "comment", '"a: #b"', key),
      expect: (data) => void (data["comment"] = "a: #b"),
    },
    { what: `remove the key ${key}`, edits: removeTableKey(file, key), expect: (data) => void delete data[key] },
    {
      what: `insert a field at the ${index === 0 ? "start" : "end"} of ${parent.join(".")}`,
      edits: insertField(file, parent, index === 0 ? "first" : "last", field),
      expect: (data) => {
        const items = list === null ? [] : (reach(data, root, list) as unknown[]);
        if (index === 0) items.unshift(written);
        else items.push(written);
      },
    },
    {
      what: `remove the field ${path.join(".")}`,
      edits: removeField(file, path),
      expect: (data) => {
        if (spot !== null && spot.list !== null) (reach(data, root, spot.list) as unknown[]).splice(spot.index, 1);
      },
    },
    {
      what: `set a key of ${path.join(".")}`,
      edits: setFieldKey(file, path, "required", "true", "type"),
      expect: (data) => {
        if (spot !== null) (reach(data, root, spot.map) as Data)["required"] = true;
      },
    },
    {
      what: `remove a key of ${path.join(".")}`,
      edits: removeFieldKey(file, path, "type"),
      expect: (data) => {
        if (spot !== null) delete (reach(data, root, spot.map) as Data)["type"];
      },
    },
    {
      what: `add to ${listKey}`,
      edits: addToTableList(file, listKey, '"x*"'),
      expect: (data) => {
        const before = data[listKey];
        data[listKey] = Array.isArray(before) ? [...(before as unknown[]), "x*"] : ["x*"];
      },
    },
    {
      what: `remove entry ${at} of ${listKey}`,
      edits: removeFromTableList(file, listKey, at),
      expect: (data) => {
        const items = data[listKey] as unknown[];
        items.splice(at, 1);
        if (items.length === 0 && (listKey === "unmanaged" || listKey === "dropped")) delete data[listKey];
      },
    },
  ];
}

/** Of every field whose names are written in the file. */
function fieldPaths(root: MapNode): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const walk = (node: YamlNode | undefined, path: readonly string[], depth: number): void => {
    if (node?.kind !== "list" || depth > 4) return;
    for (const item of node.items) {
      if (item.kind !== "map") continue;
      const name = findValue(item, "name");
      if (name?.kind !== "scalar") continue;
      found.push([...path, name.text]);
      for (const words of [[], ["element"], ["value"]])
        walk(findValue(item, "fields"), [...path, name.text, ...words], depth + 1);
    }
  };
  walk(findValue(root, "columns"), [], 0);
  return found;
}

/** The part of the data that a node of the tree stands for. */
function reach(data: unknown, from: YamlNode, to: YamlNode): unknown {
  if (from === to) return data;
  if (from.kind === "list") {
    for (const [index, item] of from.items.entries()) {
      const found = reach((data as unknown[])[index], item, to);
      if (found !== undefined) return found;
    }
  }
  if (from.kind === "map") {
    for (const { key, value } of from.entries) {
      const found = reach((data as Data)[key.text], value, to);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
