// The settings of a REST catalog: what the project file says, and the secrets that only the environment has. Says what is
// missing where. Sends nothing.
import { ToolError } from "../diagnostics/tool-error.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";

export interface RestOptions {
  readonly uri?: string | null;
  readonly warehouse?: string | null;
  readonly prefix?: string | null;
  readonly auth?: string | null;
  readonly signingName?: string | null;
  readonly region?: string | null;
  readonly scope?: string | null;
}

export interface RestSettings {
  /** The logical name. */
  readonly name: string;
  /** Without a slash at the end. */
  readonly uri: string;
  readonly warehouse: string | null;
  readonly prefix: string | null;
  readonly auth: RestAuthSettings;
}

export type RestAuthSettings =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly token: string; readonly variable: string }
  | {
      readonly kind: "oauth2";
      readonly credential: string;
      readonly variable: string;
      readonly server: string | null;
      readonly serverVariable: string;
      readonly scope: string;
    }
  | { readonly kind: "sigv4"; readonly service: string; readonly region: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** By the protocol. */
const DEFAULT_SCOPE = "catalog";
/** As in Iceberg Java: a gateway of one's own before a catalog. */
const DEFAULT_SERVICE = "execute-api";

export function restSettings(name: string, options: RestOptions, environment: Environment): RestSettings {
  const wrong = failureOf(name);
  return {
    name,
    uri: checkedUri(options.uri ?? "", wrong),
    warehouse: textOf(options.warehouse),
    prefix: checkedPrefix(textOf(options.prefix), wrong),
    auth: authSettings(name, options, environment, wrong),
  };
}

type Wrong = (why: string, mend: string) => ToolError;

function failureOf(name: string): Wrong {
  return (why, mend) => new ToolError("config", `Cannot open the catalog "${name}"`, { why, mend });
}

function checkedUri(text: string, wrong: Wrong): string {
  if (text === "") throw wrong("A REST catalog needs its address", "Write `uri: https://HOST/PATH`, without /v1");
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw wrong(`"${text}" is no address of a catalog`, "Write `uri: https://HOST/PATH`, without /v1");
  if (url.username !== "" || url.password !== "")
    throw wrong(
      "Its address holds a user name or a password, and a secret has no place in a file",
      "Take out what stands before the @",
    );
  if (url.search !== "" || url.hash !== "")
    throw wrong(`The address "${text}" goes on after the path`, "Take out what begins with ? or #");
  return stripTrailingSlashes(url.href);
}

function checkedPrefix(prefix: string | null, wrong: Wrong): string | null {
  if (prefix === null || /^[^\s?#\\]+$/.test(prefix)) return prefix;
  throw wrong(
    `"${prefix}" is no part of a path`,
    "Write `prefix:` as it stands between /v1/ and /namespaces, with blanks as %20",
  );
}

function authSettings(name: string, options: RestOptions, environment: Environment, wrong: Wrong): RestAuthSettings {
  const suffix = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  const secret = (variable: string, what: string): string => {
    const value = environment[variable]?.trim().replace(/^Bearer\s+/i, "") ?? "";
    if (value === "")
      throw wrong(`The environment variable ${variable} is not set`, `Set it to ${what}; it is never written into a file`);
    // It stands in a header or a form, whose complaint would show it.
    if (!/^[\u0021-\u007e]+$/.test(value))
      throw wrong(`The environment variable ${variable} holds blanks or special characters`, `Set it to ${what}, the bare text`);
    return value;
  };
  switch (options.auth ?? "none") {
    case "none":
      return { kind: "none" };
    case "bearer": {
      const variable = `FLOEPLAN_REST_TOKEN_${suffix}`;
      return { kind: "bearer", variable, token: secret(variable, "a token that the catalog takes") };
    }
    case "oauth2": {
      const variable = `FLOEPLAN_REST_CREDENTIAL_${suffix}`;
      const serverVariable = `FLOEPLAN_REST_OAUTH2_SERVER_URI_${suffix}`;
      return {
        kind: "oauth2",
        credential: secret(variable, "CLIENT:SECRET"),
        variable,
        server: textOf(environment[serverVariable]),
        serverVariable,
        scope: textOf(options.scope) ?? DEFAULT_SCOPE,
      };
    }
    case "sigv4":
      return sigV4Settings(options, environment, wrong);
    default:
      throw wrong(`"${options.auth}" is no way to sign in`, "Write `auth:` as none, bearer, oauth2 or sigv4");
  }
}

function sigV4Settings({ uri, signingName, region }: RestOptions, environment: Environment, wrong: Wrong): RestAuthSettings {
  const host = new URL(uri ?? "").hostname;
  const [, own, ofHost] =
    /(?:^|\.)(glue|s3tables|execute-api)\.([a-z0-9-]+)\.(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/.exec(host) ?? [];
  const chosen = textOf(region) ?? ofHost ?? textOf(environment["AWS_REGION"]) ?? textOf(environment["AWS_DEFAULT_REGION"]);
  if (chosen === null || chosen === undefined)
    throw wrong(
      "No region is set, and a signature needs one",
      "Write `region:` of the catalog in the project file, or set AWS_REGION",
    );
  return { kind: "sigv4", service: textOf(signingName) ?? own ?? DEFAULT_SERVICE, region: chosen };
}

function textOf(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === "" ? null : text;
}
