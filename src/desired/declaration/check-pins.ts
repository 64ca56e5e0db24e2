// Pinned field ids must differ from each other within one environment.
import { formatPlace } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../words.ts";
import type { DeclaredSchema, DeclaredSpot } from "./declared-schema.ts";
import type { Tell } from "./tell.ts";

export function checkPins(tell: Tell, { spots }: DeclaredSchema, environments: readonly string[]): void {
  const pinned = [...spots.values()].filter((spot) => spot.pin !== null);
  const told = new Set<DeclaredSpot>();
  for (const environment of environments) {
    const owners = new Map<number, DeclaredSpot>();
    for (const spot of pinned) {
      const id = pinIn(spot, environment);
      if (id === null || spot.pin === null) continue;
      const owner = owners.get(id);
      if (owner === undefined) {
        owners.set(id, spot);
      } else if (!told.has(spot)) {
        told.add(spot);
        tell("pinned-id-twice", spot.pin.place, {
          field: spot.path,
          what: `Cannot pin field id ${id} twice in environment ${quoted(environment)}`,
          why: `Field ${quoted(owner.path)} at ${formatPlace(owner.place)} has it`,
          mend: "Correct one of them; `floeplan show` lists the ids of a table",
        });
      }
    }
  }
}

function pinIn({ pin }: DeclaredSpot, environment: string): number | null {
  if (pin === null || pin.value === "new") return null;
  return typeof pin.value === "number" ? pin.value : (pin.value.get(environment) ?? null);
}
