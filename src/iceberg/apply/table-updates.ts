// assign-uuid, upgrade-format-version and set-location: what a table is as a whole.
import { stripTrailingSlashes } from "../metadata-file.ts";
import { type FormatVersion, NEWEST_FORMAT_VERSION } from "../table-metadata.ts";
import type { UpdateByAction } from "../update-json.ts";
import { change, type Draft, refused } from "./draft.ts";

/** Only a table without one gets a uuid: with another it would be another table to everyone who knows it. */
export function assignUuid(draft: Draft, { uuid }: UpdateByAction["assign-uuid"]): Draft {
  const present = draft.metadata.tableUuid;
  if (present === null) return change(draft, { tableUuid: uuid });
  if (present.toLowerCase() === uuid.toLowerCase()) return draft;
  throw refused(`Cannot assign the uuid ${uuid}`, `The table has the uuid ${present}`);
}

export function upgradeFormatVersion(draft: Draft, update: UpdateByAction["upgrade-format-version"]): Draft {
  const { formatVersion, nextRowId } = draft.metadata;
  const wanted = toFormatVersion(update.formatVersion);
  if (wanted < formatVersion) {
    throw refused(
      `Cannot set format version ${wanted}`,
      `The table has format version ${formatVersion}, and versions only go up`,
    );
  }
  return wanted === formatVersion
    ? draft
    : change(draft, { formatVersion: wanted, nextRowId: wanted < 3 ? null : (nextRowId ?? 0n) });
}

export function toFormatVersion(version: number): FormatVersion {
  if (version === 1 || version === 2 || version === 3) return version;
  throw refused(`Cannot set format version ${version}`, `Format versions 1 to ${NEWEST_FORMAT_VERSION} are known`);
}

export function setLocation(draft: Draft, update: UpdateByAction["set-location"]): Draft {
  const location = stripTrailingSlashes(update.location);
  if (location === "") throw refused("Cannot set the location", "It is empty");
  return location === draft.metadata.location ? draft : change(draft, { location });
}
