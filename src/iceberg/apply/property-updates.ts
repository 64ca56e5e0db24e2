// set-properties and remove-properties. Keys that Java reserves are never stored; of them `format-version`
// asks for an upgrade (core/TableProperties).
import type { UpdateByAction } from "../update-json.ts";
import { change, type Draft, refused } from "./draft.ts";
import { upgradeFormatVersion } from "./table-updates.ts";

const FORMAT_VERSION = "format-version";

const RESERVED_PROPERTIES: ReadonlySet<string> = new Set([
  FORMAT_VERSION,
  "uuid",
  "snapshot-count",
  "current-snapshot-id",
  "current-snapshot-summary",
  "current-snapshot-timestamp-ms",
  "current-schema",
  "default-partition-spec",
  "default-sort-order",
]);

export function setProperties(draft: Draft, { updates }: UpdateByAction["set-properties"]): Draft {
  const { properties } = draft.metadata;
  const changed = Object.entries(updates).filter(
    ([key, value]) => !RESERVED_PROPERTIES.has(key) && valueOf(properties, key) !== value,
  );
  const set = changed.length === 0 ? draft : change(draft, { properties: { ...properties, ...Object.fromEntries(changed) } });
  const version = valueOf(updates, FORMAT_VERSION);
  return version === undefined ? set : upgrade(set, version);
}

function upgrade(draft: Draft, version: string): Draft {
  if (!/^\d{1,9}$/.test(version)) throw refused(`Cannot set format version "${version}"`, "It is no whole number");
  return upgradeFormatVersion(draft, { action: "upgrade-format-version", formatVersion: Number(version) });
}

export function removeProperties(draft: Draft, { removals }: UpdateByAction["remove-properties"]): Draft {
  const { properties } = draft.metadata;
  if (!removals.some((key) => valueOf(properties, key) !== undefined)) return draft;
  const removed = new Set(removals);
  return change(draft, { properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !removed.has(key))) });
}

function valueOf(properties: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}
