// Properties whose change readers or writers notice; all others are metadata only. A data table: keys and
// prefixes by the documentation of Iceberg's table properties.

const KEYS: ReadonlySet<string> = new Set([
  "gc.enabled",
  "read.split.target-size",
  "schema.name-mapping.default",
  "write.data.path",
  "write.delete.distribution-mode",
  "write.delete.format.default",
  "write.delete.isolation-level",
  "write.delete.mode",
  "write.distribution-mode",
  "write.format.default",
  "write.merge.distribution-mode",
  "write.merge.isolation-level",
  "write.merge.mode",
  "write.metadata.compression-codec",
  "write.metadata.delete-after-commit.enabled",
  "write.metadata.path",
  "write.object-storage.enabled",
  "write.object-storage.path",
  "write.spark.accept-any-schema",
  "write.update.distribution-mode",
  "write.update.isolation-level",
  "write.update.mode",
  "write.upsert.enabled",
  "write.wap.enabled",
]);

const PREFIXES: readonly string[] = ["encryption.", "history.expire."];

export function isBehaviourProperty(key: string): boolean {
  return KEYS.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
}
