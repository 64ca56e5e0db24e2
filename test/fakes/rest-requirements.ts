// Requirements of the REST protocol held against a table's metadata as plain JSON, written from the protocol's document.
// Shares nothing with the product.
import { isEqual, isMap, type JsonMap, mapOf, textOf, writeJson } from "./rest-json.ts";
import { bad, failed, RestRefusal, type RestWays } from "./rest-ways.ts";

export function checkRequirements(requirements: readonly JsonMap[], table: JsonMap | null, ways: RestWays): void {
  for (const requirement of requirements) {
    const type = textOf(requirement["type"]);
    if (ways.ignoresRequirements?.includes(type) === true) continue;
    if (type === "assert-create") {
      if (table !== null) failed("table already exists");
      continue;
    }
    if (table === null) throw new RestRefusal(404, "NoSuchTableException", "Table does not exist");
    checkRequirement(type, requirement, table);
  }
}

function checkRequirement(type: string, requirement: JsonMap, table: JsonMap): void {
  const same = (key: string, member: string): void => {
    if (!isEqual(requirement[key], table[member]))
      failed(`${member} changed: expected ${writeJson(requirement[key] ?? null)} != ${writeJson(table[member] ?? null)}`);
  };
  switch (type) {
    case "assert-table-uuid":
      if (textOf(requirement["uuid"]).toLowerCase() !== textOf(table["table-uuid"]).toLowerCase())
        failed(`UUID does not match: expected ${textOf(table["table-uuid"])} != ${textOf(requirement["uuid"])}`);
      return;
    case "assert-ref-snapshot-id": {
      const name = textOf(requirement["ref"]);
      const ref = mapOf(table["refs"])[name];
      const present = isMap(ref) ? (ref["snapshot-id"] ?? null) : null;
      if (!isEqual(present, requirement["snapshot-id"] ?? null)) failed(`branch or tag ${name} has changed`);
      return;
    }
    case "assert-last-assigned-field-id":
      return same("last-assigned-field-id", "last-column-id");
    case "assert-current-schema-id":
      return same("current-schema-id", "current-schema-id");
    case "assert-last-assigned-partition-id":
      return same("last-assigned-partition-id", "last-partition-id");
    case "assert-default-spec-id":
      return same("default-spec-id", "default-spec-id");
    case "assert-default-sort-order-id":
      return same("default-sort-order-id", "default-sort-order-id");
    default:
      return bad(`Unknown requirement: ${type}`);
  }
}
