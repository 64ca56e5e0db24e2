// Opens an Iceberg REST catalog: reads its settings, chooses how requests are let in, and joins the parts. What signs with
// AWS keys is loaded only where it is asked for.
import { REAL_RETRY_PORTS } from "../storage/aws-retry.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogContext, CatalogOptions } from "./catalog-options.ts";
import { bearerAuth, noAuth, type RestAuth } from "./rest-auth.ts";
import { createRestCatalog, type RestCatalogParts } from "./rest-catalog.ts";
import { type ClientParts, restClient } from "./rest-client.ts";
import { sendHttp } from "./rest-http.ts";
import { oauth } from "./rest-oauth.ts";
import { configUrl } from "./rest-session.ts";
import { restSettings, type RestSettings } from "./rest-settings.ts";

type ConnectionParts = Pick<ClientParts, "http" | "ports" | "times" | "nowMs">;

/** A catalog answers within seconds; a commit may wait for its turn, and reading a large table for its disk. */
const TIMES: ClientParts["times"] = {
  read: { answerMs: 60_000, idleMs: 60_000 },
  write: { answerMs: 180_000, idleMs: 60_000 },
};

export async function openRestCatalog(options: CatalogOptions, context: CatalogContext): Promise<Catalog> {
  const settings = restSettings(context.name, options, process.env);
  const { ports } = context;
  return await connectRest(settings, { http: sendHttp, ports: REAL_RETRY_PORTS, times: TIMES, nowMs: ports.nowMs }, { ports });
}

export async function connectRest(
  settings: RestSettings,
  connection: ConnectionParts,
  parts: Pick<RestCatalogParts, "ports" | "openS3">,
): Promise<Catalog> {
  const secrets: (() => readonly string[])[] = [];
  const hide = (text: string): string =>
    secrets
      .flatMap((of) => of())
      .filter((secret) => secret.length >= 4)
      .reduce((shown, secret) => shown.replaceAll(secret, "****"), text);
  const auth = await authOf(settings, connection, hide);
  secrets.push(auth.secrets);
  const client = restClient({ ...connection, auth, hide });
  return createRestCatalog({ settings, client, auth, ...parts });
}

async function authOf(settings: RestSettings, connection: ConnectionParts, hide: ClientParts["hide"]): Promise<RestAuth> {
  const { auth, uri } = settings;
  switch (auth.kind) {
    case "none":
      return noAuth();
    case "bearer":
      return bearerAuth(auth.token, auth.variable);
    case "oauth2": {
      const { http, ports, times, nowMs } = connection;
      return oauth({ ...auth, base: uri, configUrl: configUrl(settings), http, times: times.read, ports, nowMs, hide });
    }
    case "sigv4": {
      const [{ sigV4Auth }, { awsCredentials }] = await Promise.all([
        import("./rest-sigv4.ts"),
        import("../storage/aws-credentials.ts"),
      ]);
      const { service, region } = auth;
      return sigV4Auth({ credentials: awsCredentials({ region }), service, region, nowMs: connection.nowMs });
    }
  }
}
