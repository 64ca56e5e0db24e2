// Random changes of partition specs, sort orders and properties, in the words of the conformance format.
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { defaultSpec, type TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import { parseTransform, transformProblem } from "../../../src/iceberg/transform.ts";
import { anyName } from "./random-schema.ts";
import { anyColumn, nameOf, type Scene, spelled } from "./scene.ts";

const TRANSFORMS = ["identity", "bucket[4]", "bucket[16]", "truncate[3]", "year", "month", "day", "hour", "void"] as const;

export function specChange(scene: Scene, table: TableMetadata): readonly JsonObject[] {
  const { random } = scene;
  const operations: JsonObject[] = [];
  if (random.percent(5)) {
    scene.ignoresCase = true;
    operations.push({ op: "spec_case_insensitive" });
  }
  for (let count = random.between(1, 3); count > 0; count--) operations.push(specOperation(scene, table));
  if (random.percent(6)) operations.push({ op: "non_default_spec" });
  return operations;
}

function specOperation(scene: Scene, table: TableMetadata): JsonObject {
  const { random, nodes } = scene;
  const present = defaultSpec(table).fields;
  const past = table.partitionSpecs.flatMap((spec) => spec.fields);
  const field = random.any(random.percent(75) ? present : past);
  const name = field === undefined || random.percent(4) ? "gone" : field.name;
  const source = nodes.find((node) => node.id === field?.sourceIds[0])?.fullName ?? anyColumn(scene);
  const newName = (): string => random.pick(["p", "q", "p_1000", anyName(random), random.any(past)?.name ?? "r"]);
  return random.weighted<() => JsonObject>([
    [45, () => addFieldOperation(scene, past, newName)],
    [20, () => ({ op: "remove_partition_field", name })],
    [
      10,
      () => ({
        op: "remove_partition_field",
        source: spelled(scene, source),
        transform: field?.transform ?? random.pick(TRANSFORMS),
      }),
    ],
    [22, () => ({ op: "rename_partition_field", name, to: newName() })],
  ])();
}

function addFieldOperation(
  scene: Scene,
  past: TableMetadata["partitionSpecs"][number]["fields"],
  newName: () => string,
): JsonObject {
  const { random, nodes, version } = scene;
  const again = random.percent(35) ? random.any(past) : undefined;
  const againNode = nodes.find((node) => node.id === again?.sourceIds[0]);
  const node = againNode ?? random.any(nodes.filter((one) => one.isSource || random.percent(5)));
  const fits = TRANSFORMS.filter((text) => node !== undefined && transformProblem(parseTransform(text), node.type) === null);
  const transform =
    (againNode === undefined ? undefined : again?.transform) ??
    (random.percent(90) ? random.any(fits.filter((text) => text !== "void" || random.percent(10))) : undefined) ??
    random.pick(TRANSFORMS);
  // Java takes void of what is inside a list, but not the ids that this makes in version 1.
  const isVoidInside = transform === "void" && node?.isSource === false && version === 1;
  const name = random.percent(25) ? newName() : againNode !== undefined && random.percent(30) ? again?.name : undefined;
  return {
    op: "add_partition_field",
    source: spelled(scene, node === undefined ? "gone" : nameOf(random, node)),
    transform: isVoidInside ? "identity" : transform,
    ...(name === undefined ? {} : { name }),
  };
}

export function sortChange(scene: Scene): JsonObject {
  const { random, nodes } = scene;
  if (random.percent(8)) scene.ignoresCase = true;
  const fields = Array.from({ length: random.between(0, 3) }).map((): JsonObject => {
    const node = random.any(nodes.filter((one) => one.isSource || random.percent(8)));
    const fits = TRANSFORMS.filter((text) => node !== undefined && transformProblem(parseTransform(text), node.type) === null);
    return {
      source: spelled(scene, node === undefined || random.percent(3) ? "gone" : nameOf(random, node)),
      transform: (random.percent(92) ? random.any(fits.filter((text) => text !== "void")) : undefined) ?? random.pick(TRANSFORMS),
      direction: random.pick(["asc", "desc"]),
      null_order: random.pick(["nulls-first", "nulls-last", null]),
    };
  });
  return { op: "set_sort_order", fields, ...(scene.ignoresCase ? { case_insensitive: true } : {}) };
}

export function propertyChange(scene: Scene, table: TableMetadata): JsonObject {
  const { random, nodes } = scene;
  const keys = Object.keys(table.properties);
  if (random.percent(35)) {
    return { op: "remove_properties", keys: [random.any(keys) ?? "nothing", ...(random.percent(20) ? ["nothing"] : [])] };
  }
  const column = random.any(nodes)?.fullName ?? "a";
  const key = random.pick([
    "owner",
    "write.parquet.bloom-filter-enabled.column." + column,
    "write.parquet.stats-enabled.column." + column,
    "uuid",
    random.any(keys) ?? "comment",
  ]);
  return { op: "set_properties", updates: { [key]: random.pick(["1", "2", "true"]), ...(random.percent(30) ? { b: "x" } : {}) } };
}
