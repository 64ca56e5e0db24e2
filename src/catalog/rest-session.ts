// One REST catalog in this process: its settings are asked for at the first call, once for all who wait, and the service
// is built on them. Says what is wrong where a catalog cannot even be asked for its settings.
import { clauseOf, ToolError } from "../diagnostics/tool-error.ts";
import type { RestAuth } from "./rest-auth.ts";
import type { RestClient } from "./rest-client.ts";
import { encoded, type EndpointName, ENDPOINTS, type RestContext, restContext } from "./rest-config.ts";
import { RestError } from "./rest-error.ts";
import { fetchConfig, type RestService, restService } from "./rest-service.ts";
import type { RestSettings } from "./rest-settings.ts";

export interface RestSession {
  readonly service: RestService;
  readonly context: RestContext;
  /** Throws where the catalog says that it has no such call. */
  readonly demand: (what: string, ...endpoints: readonly EndpointName[]) => void;
}

export interface SessionParts {
  readonly settings: RestSettings;
  readonly label: string;
  readonly client: RestClient;
  readonly auth: RestAuth;
  readonly newKey: () => string;
}

export function restSession(parts: SessionParts): () => Promise<RestSession> {
  let opening: Promise<RestSession> | null = null;
  return async () => {
    opening ??= openSession(parts).catch((error: unknown) => {
      // What may pass is asked for again; what is wrong stays wrong for every table of the run.
      if (error instanceof ToolError && error.retryable) opening = null;
      throw error;
    });
    return await opening;
  };
}

export function configUrl({ uri, warehouse }: RestSettings): string {
  return `${uri}/v1/config${warehouse === null ? "" : `?warehouse=${encoded(warehouse)}`}`;
}

async function openSession({ settings, label, client, auth, newKey }: SessionParts): Promise<RestSession> {
  const context = restContext(await configOf(client, settings, label), settings);
  auth.learn(context.properties, context.base);
  return {
    context,
    service: restService({ client, context, label, newKey }),
    demand: (what, ...endpoints) => {
      const missing = endpoints.find((endpoint) => !context.has(endpoint));
      if (missing === undefined) return;
      throw new ToolError("unsupported", `${what} in ${label}`, {
        why: `The catalog has no call for it: its list of calls lacks "${ENDPOINTS[missing]}"`,
        mend: "Use a catalog, or a warehouse of it, that takes changes through the protocol",
      });
    },
  };
}

async function configOf(client: RestClient, settings: RestSettings, label: string): ReturnType<typeof fetchConfig> {
  const what = `Cannot open the catalog ${label}`;
  try {
    return await fetchConfig(client, what, configUrl(settings));
  } catch (error) {
    // Else it is of a call before, for a token.
    if (!(error instanceof RestError) || error.message !== what) throw error;
    const mend = configMend(error, settings);
    if (mend === null) throw error;
    const { status, type, isCertain, context } = error;
    throw new RestError("config", error.message, {
      why: clauseOf(error),
      mend,
      status,
      type,
      isCertain,
      context,
      cause: error,
    });
  }
}

function configMend({ status, type, why = "" }: RestError, { uri, warehouse }: RestSettings): string | null {
  const isWarehouse = /warehouse/i.test(`${type} ${why}`);
  if (isWarehouse && (status === 400 || status === 404 || status === 403)) {
    return warehouse === null
      ? "This catalog serves several warehouses: write `warehouse:` of the catalog in the project file."
      : `Check \`warehouse: "${warehouse}"\` of the catalog in the project file.`;
  }
  if (status === 400 && warehouse === null) return "Write `warehouse:` of the catalog in the project file, if it serves several.";
  if (status === 404 || status === 405) {
    return /\/v\d+$/.test(uri)
      ? `Take "${uri.slice(uri.lastIndexOf("/"))}" off the end of \`uri:\`: it is added by itself.`
      : "Check `uri:` of the catalog: it is the address to which /v1/config is added.";
  }
  return null;
}
