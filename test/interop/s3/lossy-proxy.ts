// A server between a client and a store that hands everything on unchanged, and loses the answers it is told to lose
// after the store has done its work. The signature stays good: the client signed for this server's address.
import { createServer, request as httpRequest } from "node:http";

export interface LossyProxy {
  readonly url: string;
  /** Loses the answers of the next calls that fit. */
  readonly lose: (fits: (method: string, path: string) => boolean, times: number) => void;
  readonly stop: () => Promise<void>;
}

export async function startLossyProxy(store: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(store);
  let rule: { readonly fits: (method: string, path: string) => boolean; left: number } | null = null;
  const server = createServer((incoming, response) => {
    const { method = "GET", url = "/", headers } = incoming;
    const onward = httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
      if (rule !== null && rule.left > 0 && rule.fits(method, url)) {
        rule.left -= 1;
        answer.resume().on("end", () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    lose: (fits, times) => {
      rule = { fits, left: times };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((settle) => server.close(() => settle()));
    },
  };
}
