// Who acts on a forge: the token itself, authors, approvers, members of teams. Logins are text from outside.
import type { Answer } from "./forge-answer.ts";

export interface Person {
  readonly login: string;
  /** Stays when the login changes; null where the forge does not say. */
  readonly id: number | null;
  readonly isBot: boolean;
}

export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
/** Weakest first. A role of an organization's own making counts as the right that it stands on. */
export type Role = (typeof ROLES)[number];

export interface People {
  /** Whom the token makes: the author of what is written with it. Null where the forge does not tell. */
  readonly self: () => Promise<Person | null>;
  /** What the person may do in the repository. */
  readonly role: (login: string) => Promise<Answer<Role>>;
  /** `team` is `organization/team`; a denial where the token may not see teams, which says nothing of the person. */
  readonly isInTeam: (team: string, login: string) => Promise<Answer<boolean>>;
}

export function hasRole(role: Role, atLeast: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(atLeast);
}
