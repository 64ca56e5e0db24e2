import{mkdir as e,readFile as t,readdir as n,writeFile as r}from"node:fs/promises";import{basename as i,dirname as a,join as o,resolve as s}from"node:path";import{p as c}from"./transform-term-COUznnCa.js";import{t as l}from"./tool-error-C55kB4uU.js";import{t as u}from"./write-yaml-Clybqlqo.js";function d(e){return/^[a-z][a-z0-9-]{0,39}$/.test(e)}function f(e){let t=`approve: { by: ["${e.owner}"], count: 1 }`,n=e.secondLock===`reviews`?`policy: { mode: apply, ${t} }`:`policy: { mode: apply }`;return`${u(`config`)}
floeplan: 1
project: ${e.project}
tables: ["tables/**/*.yaml"]
shared: ["shared/**/*.yaml"]
engines: [athena, spark]
default-catalog: lake
# In order of promotion.
environments:
${e.environments.map((t,n)=>p(e,t,n===e.environments.length-1)).join(`
`)}
# \`mode: observe\` plans and reports drift, and applies nothing: a way to begin.
${n}
lint: { missing-comment: warning, name-style: { level: error, pattern: snake_case } }
`}function p({project:e,region:t,account:n},r,i){let a=i?e:`${e}-${r}`,o=i?[]:[`    namespace: "{namespace}_${r.replaceAll(`-`,`_`)}"`];return[`  ${r}:`,`    catalogs: { lake: { type: glue, region: ${t}, account: "${n}" } }`,...o,`    location: "s3://${a}/{namespace}/{table}" # of new tables only`].join(`
`)}function m(e,t){let n=/^[\w./-]+$/.test(t)?t:JSON.stringify(t);return`${u(`config`)}
floeplan: 1
tables: ["tables/**/*.yaml"]
shared: ["shared/**/*.yaml"]
environments:
  ${e}:
    catalogs:
      lake: { type: local, warehouse: ${n} }
`}function h(e){return`${u(`table`)}
# An example: change it, or remove it and write the files of your live tables with \`floeplan import\`.
table: sales.orders
comment: One row per order
${e===null?``:`owner: "${e}"\n`}columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number, never reused" }
  - { name: customer, type: string, comment: "Customer number of the shop" }
  - { name: amount, type: "decimal(9,2)", comment: "Total in euros, taxes included" }
  - { name: ordered_at, type: timestamptz, comment: "When the order was placed" }
partition-by:
  - day(ordered_at)
`}function g({owner:e}){return[`/floeplan.yaml ${e}`,`/tables/ ${e}`,`/shared/ ${e}`,`/.github/workflows/ ${e}`]}async function _(t,n,i){let s=o(t,n);try{return await e(a(s),{recursive:!0}),await r(s,i,{flag:`wx`}),`wrote  ${n}`}catch(e){if(e instanceof Error&&`code`in e&&e.code===`EEXIST`)return`kept   ${n} (it is there already)`;throw v(n,e)}}function v(e,t){return new l(`auth`,`Cannot write "${e}"`,{...t instanceof Error?{why:t.message}:{},mend:`Run it in a folder that you may write to`,cause:t})}async function y(e,t,n){b(t);let{directory:r}=e,[i=`dev`]=t.environments;if(!d(i))throw new l(`usage`,`Cannot make a project of this`,{why:`--environment "${i}" is no plain name, like dev`,mend:`Write small letters, digits and hyphens`});let a=await x(s(r,n),n),o=[await _(r,`floeplan.yaml`,m(i,n))];a&&o.push(await _(r,`tables/sales/orders.yaml`,h(null)));let c=a?`Next: floeplan plan shows the example table, floeplan apply makes it.`:`Next: floeplan import writes the files of the tables that are there, then floeplan plan shows no changes.`;return{exit:`ok`,output:{kind:`text`,text:`${[...o,``,c].join(`
`)}\n`},diagnostics:[]}}function b({environments:e,...t}){let n=[[`--second-lock`,t.secondLock],[`--region`,t.region],[`--account`,t.account],[`--project`,t.project],[`--owner`,t.owner],[`--branch`,t.branch],[`--action`,t.action],[`more than one --environment`,e.length>1?e:null]].flatMap(([e,t])=>t===null?[]:[e]);if(n.length!==0)throw new l(`usage`,`Cannot use ${n.join(`, `)} with --local`,{why:`A local warehouse has one environment, and no account, owner or workflows`,mend:`Leave it out, or leave out --local`})}async function x(t,r){try{return await e(t,{recursive:!0}),(await n(t)).length===0}catch(e){throw v(r,e)}}const S=`      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false`,C=`aws-actions/configure-aws-credentials@e6de054238d6b7531b4efff3b6587d9aade6a06c # v6.2.3`;function w(e){return`# Every pull request gets a plan of each environment against the live tables. No \`paths:\`: a check that is required
# must report on every pull request; without a change it is done in seconds and calls no catalog.
name: floeplan plan
on:
  pull_request: {}
  merge_group: {}
permissions: {}
concurrency:
  group: floeplan-plan-\${{ github.event.pull_request.number || github.ref }}
  cancel-in-progress: true
jobs:
  plan:
    name: plan \${{ matrix.environment }}
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      actions: read # of a merge queue: which run made a record
      checks: write # the record of what was shown
      contents: read
      id-token: write # the role that reads
      pull-requests: write # the comment
${A(e)}
    steps:
${S}
      - uses: ${C}
        # Forks and Dependabot get no credentials: they are checked offline.
        if: >-
          github.event_name == 'merge_group' ||
          (github.event.pull_request.head.repo.full_name == github.repository &&
          github.event.pull_request.user.login != 'dependabot[bot]')
${j(e,`plan`)}
`}function T(e){let t=e.environments.flatMap((t,n)=>E(e,t,e.environments[n-1]??null));return`# What is merged is applied, one environment after the other.
${e.secondLock===`environment`?`# Each environment has two jobs: one without a gate, for what at most changes behaviour; and one that waits until a
# reviewer of its environment lets it through, for what rewrites or loses data. A table goes whole to one of them.`:"# What rewrites or loses data wants reviews of exactly the merged commit: `policy.approve` in floeplan.yaml."}
name: floeplan apply
on:
  push:
    branches: [${e.branch}]
    paths: ["tables/**", "shared/**", "floeplan.yaml"]
  workflow_dispatch: {}
permissions: {}
jobs:
${t.join(`
`)}`}function E(e,t,n){return e.secondLock===`reviews`?[D(e,{id:t,name:t,needs:n===null?null:{jobs:n,condition:null},maxEffect:`destructive`,environment:`floeplan-${t}`})]:[D(e,{id:`${t}-safe`,name:t,needs:n===null?null:{jobs:`${n}-safe`,condition:null},maxEffect:`behaviour`,environment:`floeplan-${t}`}),D(e,{id:`${t}-gated`,name:t,needs:{jobs:n===null?`${t}-safe`:`[${t}-safe, ${n}-gated]`,condition:[`!cancelled()`,`needs.${t}-safe.outputs.risky == 'true'`,...n===null?[]:[`needs.${n}-gated.result != 'failure'`]].join(` && `)},maxEffect:`destructive`,environment:`floeplan-${t}-gated`})]}function D(e,{id:t,name:n,needs:r,maxEffect:i,environment:a}){let o=r?.condition??null;return`  ${t}:
${r===null?``:`    needs: ${r.jobs}\n`}${o===null?``:`    if: \${{ ${o} }}\n`}    runs-on: ubuntu-latest
    environment: ${a}
    concurrency:
      group: floeplan-apply-${t}
      cancel-in-progress: false
      queue: max
    permissions:
      actions: read # who made the records, who let the run through
      checks: write
      contents: read
      id-token: write # the role that writes
      pull-requests: write
    outputs:
      risky: \${{ steps.floeplan.outputs.destructive == 'true' || steps.floeplan.outputs.rewrites == 'true' }}
    steps:
${S}
      - uses: ${C}
        with:
          role-to-assume: ${k(e,`floeplan-apply-${n}`)}
          aws-region: ${e.region}
      - id: floeplan
        uses: ${e.action}
        with:
          command: apply
          environment: ${n}
          max-effect: ${i}
`}function O(e){return`# What other writers changed: one issue for each environment, closed when all is in step.
name: floeplan drift
on:
  schedule:
    - cron: "17 5 * * *"
  workflow_dispatch: {}
permissions: {}
concurrency:
  group: floeplan-drift
  cancel-in-progress: false
jobs:
  drift:
    name: drift \${{ matrix.environment }}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
      id-token: write # the role that reads
      issues: write
${A(e)}
    steps:
${S}
      - uses: ${C}
${j(e,`drift`)}
`}function k({account:e},t){return`arn:aws:iam::${e}:role/${t}`}function A(e){return[`    strategy:`,`      fail-fast: false`,`      matrix:`,`        include:`,...e.environments.flatMap(t=>[`          - environment: ${t}`,`            role: ${k(e,`floeplan-plan-${t}`)}`])].join(`
`)}function j({region:e,action:t},n){return`        with:
          role-to-assume: \${{ matrix.role }}
          aws-region: ${e}
      - uses: ${t}
        with:
          command: ${n}
          environment: \${{ matrix.environment }}`}const M=`.github/CODEOWNERS`;async function N(e,t){if(t.local!==null)return await y(e,t,t.local);let n={environments:t.environments.length===0?[`dev`,`prod`]:t.environments,region:t.region??`eu-west-1`,account:t.account??`111122223333`,secondLock:t.secondLock??await P(e),branch:t.branch??`main`,action:t.action??`floeplan/floeplan@v${e.version}`,project:t.project??I(i(e.directory)),owner:t.owner??`@acme/data-platform`};F(n);let r=[[`floeplan.yaml`,f(n)],[`tables/sales/orders.yaml`,h(n.owner)],[`.github/workflows/floeplan-plan.yml`,w(n)],[`.github/workflows/floeplan-apply.yml`,T(n)],[`.github/workflows/floeplan-drift.yml`,O(n)]],a=[];for(let[t,n]of r)a.push(await _(e.directory,t,n));return a.push(await L(e.directory,g(n))),{exit:`ok`,output:{kind:`text`,text:`${[...a,``,...R(n)].join(`
`)}\n`},diagnostics:[]}}async function P({asking:e}){if(e===null)throw new l(`usage`,`Cannot choose the second lock`,{why:`Before data is lost or rewritten a second person must agree, and nobody is here to say how`,mend:"Say `--second-lock environment` (reviewers of a protected environment; on private repositories that needs GitHub Enterprise) or `--second-lock reviews` (approving reviews of the pull request)"});return await e.confirm(`Shall reviewers of a protected environment let through what rewrites or loses data? (On private repositories that needs GitHub Enterprise. No: approving reviews of the pull request count.)`)?`environment`:`reviews`}function F(e){let t=[...e.environments.filter(e=>!d(e)).map(e=>`--environment "${e}" is no plain name, like prod`),...d(e.project)?[]:[`--project "${e.project}" is no plain name, like acme-lake`],.../^\d{12}$/.test(e.account)?[]:[`--account "${e.account}" is not twelve digits`],.../^[a-z]{2}(?:-[a-z]+)+-\d$/.test(e.region)?[]:[`--region "${e.region}" is no region, like eu-west-1`],.../^@[\w.-]+(?:\/[\w.-]+)?$/.test(e.owner)?[]:[`--owner "${e.owner}" is neither @user nor @organization/team`],.../^[\w./-]+@[\w./-]+$/.test(e.action)?[]:[`--action "${e.action}" is not OWNER/NAME@REF`],.../^[\w./-]+$/.test(e.branch)?[]:[`--branch "${e.branch}" is no plain name, like main`]];if(t.length>0)throw new l(`usage`,`Cannot make a project of this`,{why:t.join(`; `)})}function I(e){let t=e.toLowerCase().replace(/[^a-z0-9]+/g,`-`).replace(/^[^a-z]+|-+$/g,``).slice(0,40);return d(t)?t:`lake`}async function L(e,n){let i=o(e,M);try{let e=await t(i,`utf8`).catch(()=>``),a=new Set(e.split(`
`).map(e=>e.trim().split(/\s+/)[0])),o=n.filter(e=>!a.has(e.split(` `)[0]));if(o.length===0)return`kept   ${M} (it has the lines already)`;let s=e===``||e.endsWith(`
`)?e:`${e}\n`;return await r(i,`${s}${o.join(`
`)}\n`),e===``?`wrote  ${M}`:`added  ${c(o.length,`line`,`lines`)} to ${M}`}catch(e){throw v(M,e)}}function R(e){let t=e.secondLock===`environment`?e.environments.map(e=>`floeplan-${e}-gated`):[],n=[...e.environments.map(e=>`floeplan-${e}`),...t],r=e.environments.at(-1)??`prod`;return[`Next:`,`1. Put your account, region and bucket into floeplan.yaml and the workflows, and make the roles: docs/aws.md has the policies.`,`2. Try it, read-only: floeplan doctor -e ${r}. Write the files of your tables: floeplan import 'sales.*' -e ${r};`,`   then floeplan plan -e ${r} shows no changes. tables/sales/orders.yaml is an example: remove it.`,`3. Let these environments of GitHub be used from ${e.branch} only, so that no branch can reach their roles:`,...n.flatMap(t=>[`   gh api -X PUT "repos/{owner}/{repo}/environments/${t}" -F 'deployment_branch_policy[protected_branches]=false' -F 'deployment_branch_policy[custom_branch_policies]=true'`,`   gh api -X POST "repos/{owner}/{repo}/environments/${t}/deployment-branch-policies" -f name=${e.branch}`]),t.length===0?`4. ${e.owner} approves pull requests that rewrite or lose data; a team needs a github-token that may read its members.`:`4. Set required reviewers on ${t.join(`, `)}.`]}export{N as run};