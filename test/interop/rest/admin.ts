// Calls of a REST catalog that floeplan never makes: dropping what a test made. By plain requests.
export interface RestAdmin {
  /** All tables, then all namespaces, those within others first. */
  readonly dropAll: () => Promise<void>;
}

export async function restAdmin(
  { uri, warehouse }: { readonly uri: string; readonly warehouse?: string },
  credential: string | null,
): Promise<RestAdmin> {
  const headers = credential === null ? {} : { authorization: `Bearer ${await tokenOf(uri, credential)}` };
  const call = async (method: string, path: string): Promise<unknown> => {
    const answer = await fetch(`${uri}/v1/${path}`, { method, headers });
    const text = await answer.text();
    // Servers list what they do not know by that name.
    if (!answer.ok && !(method === "DELETE" && answer.status === 404))
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return text === "" ? null : JSON.parse(text);
  };
  const config = (await call("GET", `config${warehouse === undefined ? "" : `?warehouse=${encodeURIComponent(warehouse)}`}`)) as {
    readonly overrides?: { readonly prefix?: string };
  };
  const prefix = config.overrides?.prefix === undefined ? "" : `${config.overrides.prefix}/`;
  const pathOf = (namespace: readonly string[]): string => `${prefix}namespaces/${namespace.map(encodeURIComponent).join("%1F")}`;

  const drop = async (parent: readonly string[]): Promise<void> => {
    const query = parent.length === 0 ? "" : `?parent=${parent.map(encodeURIComponent).join("%1F")}`;
    const { namespaces = [] } = (await call("GET", `${prefix}namespaces${query}`)) as { readonly namespaces?: string[][] };
    for (const namespace of namespaces) {
      if (namespace.length <= parent.length) continue;
      await drop(namespace);
      const { identifiers = [] } = (await call("GET", `${pathOf(namespace)}/tables`)) as {
        readonly identifiers?: readonly { readonly name: string }[];
      };
      for (const { name } of identifiers)
        await call("DELETE", `${pathOf(namespace)}/tables/${encodeURIComponent(name)}?purgeRequested=false`);
      await call("DELETE", pathOf(namespace));
    }
  };
  return { dropAll: async () => await drop([]) };
}

async function tokenOf(uri: string, credential: string): Promise<string> {
  const [client = "", secret = ""] = credential.split(":");
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: client,
    client_secret: secret,
    scope: "catalog",
  });
  const answer = await fetch(`${uri}/v1/oauth/tokens`, { method: "POST", body });
  if (!answer.ok) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly access_token: string }).access_token;
}
