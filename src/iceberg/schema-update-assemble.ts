// Puts a draft together again as the fields of a schema. Bottom up with a loop, so that depth is no limit; a node
// without a change gives back the very object that it was made from.
import { bug } from "../diagnostics/tool-error.ts";
import { type DraftNode, liveChildren } from "./schema-update-draft.ts";
import type { Field, Type } from "./type.ts";

interface Frame {
  readonly node: DraftNode;
  readonly children: readonly DraftNode[];
  readonly types: Type[];
}

/** The fields of the schema that the draft's root stands for. */
export function assembleFields(root: DraftNode): readonly Field[] {
  const type = assembleType(root);
  if (type.kind !== "struct") throw bug("The root of a draft is no struct");
  return type.fields;
}

function assembleType(top: DraftNode): Type {
  const frames: Frame[] = [openFrame(top)];
  for (;;) {
    const frame = frames[frames.length - 1];
    if (frame === undefined) throw bug("A draft has no nodes to assemble");
    const child = frame.children[frame.types.length];
    if (child !== undefined) {
      const ready = readyType(child);
      if (ready === null) frames.push(openFrame(child));
      else frame.types.push(ready);
      continue;
    }
    frames.pop();
    const type = closeFrame(frame);
    const outer = frames[frames.length - 1];
    if (outer === undefined) return type;
    outer.types.push(type);
  }
}

function openFrame(node: DraftNode): Frame {
  return { node, children: [...liveChildren(node)], types: [] };
}

function readyType(node: DraftNode): Type | null {
  if (!node.isDirty && node.origin !== null) return node.origin.type;
  return node.primitive;
}

function closeFrame({ node, children, types }: Frame): Type {
  const parts = children.map((child, index) => ({ child, type: types[index] ?? failMissing(child) }));
  switch (node.kind) {
    case "struct":
      return { kind: "struct", fields: parts.map(({ child, type }) => toField(child, type)) };
    case "list": {
      const element = parts[0] ?? failMissing(node);
      return { kind: "list", elementId: element.child.id, element: element.type, elementRequired: element.child.required };
    }
    case "map": {
      const [key = failMissing(node), value = failMissing(node)] = parts;
      return {
        kind: "map",
        keyId: key.child.id,
        key: key.type,
        valueId: value.child.id,
        value: value.type,
        valueRequired: value.child.required,
      };
    }
    case "primitive":
      return node.primitive ?? failMissing(node);
  }
}

function toField(node: DraftNode, type: Type): Field {
  const before = node.origin?.field ?? null;
  if (!node.isDirty && before !== null) return before;
  return {
    id: node.id,
    name: node.name,
    required: node.required,
    type,
    ...(node.doc === undefined ? {} : { doc: node.doc }),
    ...(node.initialDefault === undefined ? {} : { initialDefault: node.initialDefault }),
    ...(node.writeDefault === undefined ? {} : { writeDefault: node.writeDefault }),
    ...(node.extra === undefined ? {} : { extra: node.extra }),
  };
}

function failMissing(node: DraftNode): never {
  throw bug("A nested type of a draft lacks a part", { fieldId: node.id, kind: node.kind });
}
