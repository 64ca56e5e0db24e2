// Which environment of the forge the job runs in: no variable says it, but the token that the forge gives the job to log in
// elsewhere does. The token is read and forgotten, never sent anywhere.
import * as core from "@actions/core";
import { remembered } from "./remembered.ts";

/** An audience of nobody: such a token opens nothing. */
const AUDIENCE = "floeplan";

export function jobEnvironment(variables: Readonly<Record<string, string | undefined>>): () => Promise<string | null> {
  return remembered(async () => ((variables["ACTIONS_ID_TOKEN_REQUEST_URL"] ?? "") === "" ? null : await read()));
}

async function read(): Promise<string | null> {
  try {
    return environmentOf(await core.getIDToken(AUDIENCE));
  } catch {
    // Without it only reviews can be the second lock, and that is said where it is asked for.
    return null;
  }
}

function environmentOf(token: string): string | null {
  const [, claims = ""] = token.split(".");
  const read: unknown = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  if (typeof read !== "object" || read === null || !("environment" in read)) return null;
  return typeof read.environment === "string" && read.environment !== "" ? read.environment : null;
}
