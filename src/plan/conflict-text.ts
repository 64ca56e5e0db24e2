// The words of a value that Git and another writer both changed. Pure.
import type { PropertyDifference } from "./property-differences.ts";

export function conflictText({ base, live, declared }: Extract<PropertyDifference, { kind: "conflict" }>): {
  readonly why: string;
  readonly mend: string;
} {
  const say = (value: string | null): string => (value === null ? "not set" : `"${value}"`);
  return {
    why: `floeplan last set "${base}", the live table has ${say(live)}, the file wants ${say(declared)}`,
    mend: `Take theirs: write ${live === null ? "null" : `"${live}"`} in the file. Keep yours: set the live value back to "${base}" first, then plan again`,
  };
}
