// What a pull request brings beside its tables: names in the project file, the branch that it goes into, who owns a table;
// each by the real reading. What is not read needs no source: pull-request.ts holds that it is not.
import { nextOnPullRequest } from "../../../src/action/plan-next.ts";
import { tableResult } from "../../../src/apply/result.ts";
import { readConfig } from "../../../src/desired/config/read-config.ts";
import { parseYaml } from "../../../src/desired/parse-yaml.ts";
import type { ProjectConfig } from "../../../src/desired/project-config.ts";
import { sourceText } from "../../../src/desired/yaml/source-text.ts";
import { readGithubEvent } from "../../../src/forge/github-event.ts";
import type { TablePlan } from "../../../src/plan/plan.ts";
import { applyReport } from "../../../src/report/apply-report.ts";
import { NO_SOURCES } from "../../../src/report/excerpt.ts";
import { planReport } from "../../../src/report/plan-report.ts";
import { waitingFrom } from "../../../src/report/plan-sections.ts";
import type { Report } from "../../../src/report/report.ts";
import { statusReport } from "../../../src/report/status-report.ts";
import { plan as wholePlan } from "../../report/plans.ts";
import type { Told } from "./sources.ts";

export interface Made {
  /** The texts that YAML can say, each as it is written. */
  readonly written: (texts: readonly string[], isMeant?: (text: string) => boolean) => readonly (readonly [string, string])[];
  /** A plan that renames a column, under more lines of its file. */
  readonly plan: (more: string) => TablePlan;
}

const WITHOUT_FINDINGS = { findings: [], plans: [] } as const;
const LAKE = "{ catalogs: { lake: { type: local, warehouse: ./wh } } }";

function configOf(yaml: string): ProjectConfig | null {
  return readConfig(parseYaml(sourceText("floeplan.yaml", `floeplan: 1\n${yaml}`)), "/project").config;
}

/** As the file of an event has it. */
export function pullRequestEvent(base: string, more: object = {}): ReturnType<typeof readGithubEvent> {
  const commit = "77ab01c77ab01c77ab01c77ab01c77ab01c77ab0";
  const repo = { full_name: "acme/lake" };
  const plain = { number: 1, state: "open", draft: false, merged_at: null, html_url: "https://github.example/acme/lake/pull/1" };
  const pullRequest = {
    user: { login: "alice", id: 1, type: "User" },
    head: { sha: commit, ref: "change", repo },
    base: { sha: commit, ref: base, repo },
    ...plain,
    ...more,
  };
  return readGithubEvent({
    name: "pull_request",
    commit,
    ref: "refs/pull/1/merge",
    payload: { action: "opened", pull_request: pullRequest },
  });
}

export function pullRequestSources({ written, plan }: Made): Readonly<Record<string, (texts: readonly string[]) => Told>> {
  const told = (report: Report, shown: readonly string[]): Told => ({ report, shown, ...WITHOUT_FINDINGS });
  return {
    "names of environments": (texts) => {
      const all = written(texts);
      const config = configOf(`environments:\n${all.map(([, one]) => `  ? ${one}\n  : ${LAKE}\n`).join("")}`);
      const environments = (config?.environments ?? []).map(({ name }) => name);
      const states = new Map(environments.map((name) => [name, { state: "unreachable", why: "No answer came" }] as const));
      const rows = [{ table: "ns.t", file: "tables/t.yaml", states }];
      return told(statusReport(rows, { environments, verbose: true }), environments);
    },
    "approvers of a policy": (texts) => {
      const all = written(texts, (text) => text.trim() !== "");
      const by = all.map(([, one]) => one).join(", ");
      const config = configOf(`environments:\n  prod: ${LAKE}\npolicy: { approve: { by: [ ${by} ], count: 1 } }\n`);
      const policy = config?.environments[0]?.policy;
      const lost = wholePlan(plan("dropped: [ { field: b, reason: unused } ]\n"));
      const verdict = { status: "changes", reason: "", isGood: true } as const;
      const next = policy === undefined ? null : nextOnPullRequest(lost, verdict, policy);
      // The line is one sentence, and a long one is shortened as a whole.
      return told(planReport(lost, { asked: null, sources: NO_SOURCES, verbose: true, next }), []);
    },
    "branches of pull requests": (texts) => {
      const branches = texts.map((text) => {
        const event = pullRequestEvent(text);
        return event.kind === "pull-request" ? event.pullRequest.base.branch : "";
      });
      const tables = branches.map((_, at) => ({ ...plan(""), table: `ns.t${at}` }));
      const waiting = new Map(
        tables.map(({ table, steps }, at) => {
          const ids = new Set(steps.map(({ id }) => id));
          return [table, { ids, from: waitingFrom(branches[at] ?? "", [7, 8]) }];
        }),
      );
      const report = planReport(wholePlan(...tables), { asked: null, sources: NO_SOURCES, verbose: true, waiting });
      return { ...told(report, branches), isInJson: false };
    },
    "owners of tables": (texts) => {
      const all = written(texts, (text) => text.trim() !== "");
      const results = all.map(([text, one], at) =>
        tableResult(`ns.t${at}`, "applied", plan(`owner: ${one}\n`), { metadataLocation: text }),
      );
      const report = applyReport(results, { environment: "prod", sources: NO_SOURCES, notReached: [] });
      return told(
        report,
        all.map(([text]) => text),
      );
    },
  };
}
