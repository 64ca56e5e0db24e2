// What floeplan remembers in a table, in words: the last apply, conversions and their way back, owner and hold.
import { readHold } from "../apply/hold.ts";
import { formatIdRanges } from "../iceberg/id-ranges.ts";
import { OWN_PREFIX, OWNER_KEY, readBase, readConversions } from "../plan/base.ts";
import { shortId } from "../plan/fingerprint.ts";
import { formatType } from "../iceberg/type-text.ts";

export interface TableMemory {
  readonly memory: readonly string[];
  readonly isMemory: (key: string) => boolean;
}

export function tableMemory(properties: Readonly<Record<string, string>>): TableMemory {
  const lines: string[] = [];
  const base = readBase(properties);
  if (base !== null) {
    const plan = base.plan === null ? "" : `plan ${shortId(base.plan)}, `;
    const commit = base.commit === null ? "" : `, commit ${base.commit.slice(0, 12)}`;
    lines.push(
      `last applied: ${plan}environment ${base.environment ?? "not told"}${commit}, field ids ${formatIdRanges(base.fieldIds)}`,
    );
  }
  for (const { newId, retired, rule } of readConversions(properties).known) {
    const format = rule.format === undefined ? "" : ` (${rule.format})`;
    lines.push(`converted: ${retired.name} was ${formatType(retired.type)}${format} as id ${retired.id}, is id ${newId} now`);
  }
  const owner = properties[OWNER_KEY];
  if (owner !== undefined) lines.push(`owner: project ${owner}`);
  const hold = readHold(properties);
  if (hold !== null) lines.push(`held since ${hold.since ?? "a rollback"}${hold.reason === null ? "" : `: ${hold.reason}`}`);
  return { memory: lines, isMemory: (key) => key.startsWith(OWN_PREFIX) };
}
