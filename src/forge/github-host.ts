// The only way to the network for GitHub: the token goes to one host. Requests to any other are refused before they
// are sent, and a redirect is followed only where it stays on the host. Knows nothing of GitHub's API.
import { ToolError } from "../diagnostics/tool-error.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** `apiUrl` names the host; `timeoutMs` is for one answer, its text included. */
export function fetchFrom(apiUrl: string, timeoutMs: number): Fetch {
  const { origin } = new URL(apiUrl);
  return async (url, init) => {
    const signal = AbortSignal.timeout(timeoutMs);
    let target = onHost(url, url, origin);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const response = await fetch(target, { ...init, redirect: "manual", signal });
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) return await whole(response);
      await response.body?.cancel();
      // A renamed repository. Where the method would change, what was asked for would not be done.
      const keepsMethod = response.status >= 307 || init.method === "GET" || init.method === "HEAD";
      if (!keepsMethod) throw redirected(target, "the redirect would turn the call into another one");
      target = onHost(location, target, origin);
    }
    throw redirected(target, "there were too many redirects");
  };
}

/** The answer with all of its text: the client would take one that breaks off for an empty one. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = new Uint8Array(await response.arrayBuffer());
  const isWithoutText = status === 204 || status === 205 || status === 304;
  // JSON is never empty; a file of the repository may be.
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  if (isJson && !isWithoutText && text.length === 0 && status < 300) throw new TypeError("The answer was empty");
  const answer = new Response(isWithoutText ? null : text, { status, statusText, headers });
  // Paging asks for it, and the constructor cannot be told.
  return Object.defineProperty(answer, "url", { value: response.url });
}

/** The address, which may be relative to the one before. */
function onHost(address: string, from: string, origin: string): string {
  const url = URL.canParse(address, from) ? new URL(address, from) : null;
  if (url?.origin === origin) return url.href;
  throw new ToolError("refused", `Cannot follow an answer of ${origin}`, {
    why: `It leads to ${url === null ? "no address" : url.origin}, and the token is for ${origin} alone`,
    mend: "Check GITHUB_API_URL",
  });
}

function redirected(target: string, why: string): ToolError {
  return new ToolError("refused", `Cannot follow an answer of ${new URL(target).origin}`, {
    why: why.charAt(0).toUpperCase() + why.slice(1),
    context: { path: new URL(target).pathname },
  });
}
