// The bare structs of a type text: how many there are, and the way to one. Pure shapes.
import type { TypeShape } from "../../iceberg/type-text-parse.ts";

export function countHoles(type: TypeShape): number {
  switch (type.kind) {
    case "struct":
      return type.fields === null ? 1 : type.fields.reduce((sum, field) => sum + countHoles(field.type), 0);
    case "list":
      return countHoles(type.element.type);
    case "map":
      return countHoles(type.key.type) + countHoles(type.value.type);
    default:
      return 0;
  }
}

/** The words from the type to its first bare struct, none for `struct` itself; null where there is no bare struct. */
export function pathOfHole(type: TypeShape): readonly string[] | null {
  switch (type.kind) {
    case "list":
      return below("element", type.element.type);
    case "map":
      return below("key", type.key.type) ?? below("value", type.value.type);
    case "struct": {
      if (type.fields === null) return [];
      for (const field of type.fields) {
        const path = below(field.name, field.type);
        if (path !== null) return path;
      }
      return null;
    }
    default:
      return null;
  }
}

function below(word: string, type: TypeShape): readonly string[] | null {
  const path = pathOfHole(type);
  return path === null ? null : [word, ...path];
}
