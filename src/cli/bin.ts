// The program: hands the real process to the command line and ends with its exit code. The only file that touches
// `process` for effects.
import { randomUUID } from "node:crypto";
import { codeOf } from "./exit-code.ts";
import { failureText } from "./failure.ts";
import { main } from "./main.ts";

const machine = `Node ${process.version} on ${process.platform} ${process.arch}`;

// The AWS SDK warns about Node 20 on every start; which Node it needs is said in our own manifest.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

function endWithBug(error: unknown): void {
  process.stderr.write(failureText(error, true, { description: machine }));
  process.exit(codeOf("failed"));
}

process.on("uncaughtException", endWithBug);
process.on("unhandledRejection", endWithBug);

const code = await main({
  argv: process.argv.slice(2),
  variables: process.env,
  directory: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
  randomId: randomUUID,
  interrupts: (handler) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, handler);
    return () => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, handler);
    };
  },
  machine,
});

// Connections that are kept open would hold the process for nothing.
process.exit(code);
