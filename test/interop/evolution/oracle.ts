// Iceberg Java in a process of its own: takes whole sessions (a table and the commits to it) and tells for each commit
// what became of the table, or what it refused. Knows the wire, not what is asked.
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { writeJson } from "../../../src/iceberg/json-write.ts";
import { javaProgram } from "../support/java-program.ts";
import { mavenClassPath } from "../support/maven.ts";
import { startWorker } from "../support/worker.ts";

/** Operations of one family in the words of the conformance format, or a commit of the REST model. */
export type OracleCommit =
  | { readonly change: readonly JsonObject[] }
  | { readonly requirements: readonly JsonObject[]; readonly updates: readonly JsonObject[] };

export interface OracleSession {
  /** The text of a metadata file; null: there is no table yet. */
  readonly table: string | null;
  readonly commits: readonly OracleCommit[];
}

export interface JavaRefusal {
  /** The class of the exception. */
  readonly type: string;
  readonly message: string | null;
  /** The operation that threw it; -1: the commit itself. */
  readonly at: number;
}

/** The metadata file's text after the commit, or why it was refused. */
export type JavaAnswer = string | JavaRefusal;

export interface Oracle {
  readonly version: string;
  /** One answer a commit; a refused one changes nothing and the next goes on. Throws where a table cannot be read. */
  readonly ask: (sessions: readonly OracleSession[]) => Promise<readonly (readonly JavaAnswer[])[]>;
  readonly stop: () => Promise<void>;
}

export async function startOracle(): Promise<Oracle> {
  const { jars } = await mavenClassPath("evolution-oracle");
  const { java, classPath, main } = await javaProgram("EvolutionOracle", jars);
  const worker = await startWorker({
    name: "evolution-oracle",
    command: [java, "-Xmx512m", "-XX:+UseSerialGC", "-cp", classPath, main],
  });
  return {
    version: /Apache Iceberg (\S+)/.exec(worker.ready["iceberg"] ?? "")?.[1] ?? worker.ready["iceberg"] ?? "",
    stop: worker.stop,
    ask: async (sessions) => {
      const answers = await worker.ask<readonly (readonly JavaAnswer[] | JavaRefusal)[]>("sessions", {
        sessions: sessions.map(writeSession),
      });
      return answers.map((answer) => {
        if (isList(answer)) return answer;
        throw new Error(`Iceberg Java cannot read the table: ${answer.type}: ${answer.message}`);
      });
    },
  };
}

function isList(answer: readonly JavaAnswer[] | JavaRefusal): answer is readonly JavaAnswer[] {
  return Array.isArray(answer);
}

// Numbers of 64 bits must not pass through the pipe's own JSON.
function writeSession({ table, commits }: OracleSession): string {
  const parts = commits.map((commit) => writeJson({ ...commit }));
  return `{"table":${table ?? "null"},"commits":[${parts.join(",")}]}`;
}
