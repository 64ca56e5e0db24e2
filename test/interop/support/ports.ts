// Free ports on this machine, for servers that must be told which to take.
import { createServer } from "node:net";

/** Free at the moment of asking: whoever starts a server on it tries again with another if it was taken since. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", settle);
  });
  const address = server.address();
  await new Promise<void>((settle) => {
    server.close(() => settle());
  });
  if (address === null || typeof address === "string") throw new Error("Cannot find a free port");
  return address.port;
}
