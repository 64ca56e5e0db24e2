// The next metadata document of another writer, made from the JSON alone: it sets one property, and keeps the log.
import { type JsonMap, listOf, mapOf } from "../../fakes/rest-json.ts";
import { FOREIGN } from "./fault-world.ts";

export function foreignVersion(before: JsonMap, location: string): JsonMap {
  const updated = Number(before["last-updated-ms"]);
  return {
    ...before,
    properties: { ...mapOf(before["properties"] ?? {}), [FOREIGN]: "yes" },
    "last-updated-ms": updated + 1,
    "metadata-log": [...listOf(before["metadata-log"] ?? []), { "metadata-file": location, "timestamp-ms": updated }],
  };
}
