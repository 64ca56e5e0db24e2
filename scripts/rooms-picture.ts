// The rooms of src/ as a picture (Mermaid, which GitHub draws): from the table that the architecture test holds. An arrow
// is left out where another way leads to the same room.
import { ROOMS } from "../test/gates/rules.ts";

function importsOf(room: string): readonly string[] {
  const rule = ROOMS[room];
  return [...(rule?.mayImport ?? []), ...(rule?.mayImportTypes ?? [])];
}

function reaches(from: string, to: string): boolean {
  return importsOf(from).some((next) => next === to || reaches(next, to));
}

function arrows(room: string): readonly string[] {
  const all = importsOf(room);
  return all.filter((target) => !all.some((other) => other !== target && reaches(other, target)));
}

function arrow(room: string, target: string): string {
  return ROOMS[room]?.mayImportTypes?.includes(target) === true ? "-.->" : "-->";
}

export function roomsPicture(): string {
  const rooms = Object.keys(ROOMS);
  const pure = rooms.filter((room) => ROOMS[room]?.pure === true);
  return [
    "```mermaid",
    "flowchart TD",
    ...[...rooms].reverse().flatMap((room) => arrows(room).map((target) => `  ${room} ${arrow(room, target)} ${target}`)),
    "  classDef pure stroke-width:3px",
    `  class ${pure.join(",")} pure`,
    "```",
    "",
  ].join("\n");
}
