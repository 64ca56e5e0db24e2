// Which environment of the forge the job runs in: no variable says it, but the token that the forge gives the job to log in
// elsewhere does. The token is read and forgotten, never sent anywhere.
import * as core from "@actions/core";
import { setTimeout as wait } from "node:timers/promises";
import { remembered } from "./remembered.ts";

/** An audience of nobody: such a token opens nothing. */
const AUDIENCE = "floeplan";
const TIMEOUT_MS = 30_000;
/** Before each try. The forge makes a token in well under a second, or is in trouble. */
const WAITS_MS = [0, 500, 2_000];

type Variables = Readonly<Record<string, string | undefined>>;

export function jobEnvironment(variables: Variables): () => Promise<string | null> {
  return remembered(async () => ((variables["ACTIONS_ID_TOKEN_REQUEST_URL"] ?? "") === "" ? null : await read(variables)));
}

async function read(variables: Variables): Promise<string | null> {
  try {
    return environmentOf(await idToken(variables));
  } catch {
    // Without it only reviews can be the second lock, and that is said where it is asked for.
    return null;
  }
}

/** Not by `core.getIDToken`: it brings an HTTP client of its own, the larger part of all that a job would load. */
async function idToken(variables: Variables): Promise<string> {
  const address = new URL(variables["ACTIONS_ID_TOKEN_REQUEST_URL"] ?? "");
  address.searchParams.set("audience", AUDIENCE);
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${variables["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] ?? ""}`,
    "user-agent": AUDIENCE,
  };
  let response: Response | null = null;
  for (const waitMs of WAITS_MS) {
    await wait(waitMs);
    response = await fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
    if (response !== null && response.status < 500) break;
  }
  const answer: unknown = await response?.json();
  if (typeof answer !== "object" || answer === null || !("value" in answer) || typeof answer.value !== "string") {
    throw new Error("The answer holds no token");
  }
  core.setSecret(answer.value);
  return answer.value;
}

function environmentOf(token: string): string | null {
  const [, claims = ""] = token.split(".");
  const read: unknown = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  if (typeof read !== "object" || read === null || !("environment" in read)) return null;
  return typeof read.environment === "string" && read.environment !== "" ? read.environment : null;
}
