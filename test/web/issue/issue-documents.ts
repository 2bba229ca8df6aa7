/** Sample gates, checks, handoffs and changes of an issue that is in progress. */
import type { CiView } from '../../../src/protocol/ci.ts';
import type { GatesView, HandoffsAnswer } from '../../../src/protocol/operator.ts';
import type { IssueDiff } from '../../../src/protocol/repository.ts';

export const ID = 'DEMO-21';

export const MARKDOWN = `Webhooks are sent from memory today, so a restart loses them.

## What must hold

- a restart loses **none**
- those of one customer keep their *order*
- [ ] a receiver that is away does not hold up the others

\`\`\`ts
await queue.add({ customer, body });
\`\`\`

| receiver | attempts |
|:---|---:|
| up | 1 |
| away | 5 |

See [the incident](https://example.com/incidents/12), and ![the graph](https://example.com/graph.png).
`;

export const CI: CiView = {
  issue: ID,
  number: 47,
  sha: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
  status: 'failing',
  says: 'CI fails at the head of the pull request.',
  next: '`legion explain DEMO-21` shows what happens next.',
  checks: [
    {
      name: 'unit',
      status: 'failing',
      url: 'https://github.com/acme/shop/actions/runs/1/job/2',
      summary: '1 of 212 tests failed',
      log: [
        ...Array.from({ length: 60 }, (_, line) => `ok ${line + 1} - a queue keeps its order`),
        'not ok 61 - <b>a receiver that is away</b> does not hold up the others',
        `  at ${'deliver/'.repeat(40)}queue.ts:12`,
      ].join('\n'),
    },
    { name: 'e2e', status: 'could_not_run', missing: 'GitHub no longer has the log: follow the link.' },
    { name: 'bench', status: 'pending', missing: 'The check is still running.' },
    { name: 'lint', status: 'passing', url: 'javascript:alert(1)', log: 'Checked 212 files.' },
  ],
  problems: [],
};

export const GATES: GatesView = {
  issue: ID,
  headSha: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
  verdict: 'fail',
  preMerge: [
    { name: 'names_issue', verdict: 'pass', evidence: 'namesIssue=true' },
    { name: 'ci_green', verdict: 'unknown', evidence: 'ci=pending' },
    { name: 'review_approved', verdict: 'fail', evidence: 'review=none' },
    { name: 'tests_passed', verdict: 'fail', evidence: 'test-passed=false, evidence.test=none' },
    { name: 'retro_done', verdict: 'fail', evidence: 'evidence.retro=none' },
    { name: 'no_open_question', verdict: 'pass', evidence: 'user-input-needed=false' },
    { name: 'mergeable', verdict: 'pass', evidence: 'mergeable=mergeable' },
  ],
  autoMerge: {
    allowed: false,
    conditions: [
      { name: 'not_draft', verdict: 'pass', evidence: 'draft=false' },
      { name: 'small', verdict: 'fail', evidence: 'lines=412/100, files=9/2' },
      { name: 'no_dependency_added', verdict: 'unknown', evidence: 'dependencies=unknown' },
      { name: 'safe_kind', verdict: 'fail', evidence: 'safe=none, unsafe=feature infra' },
    ],
  },
};

export const HANDOFFS: HandoffsAnswer['handoffs'] = {
  architect: {
    summary: 'The queue is a table in the same database, so there is no new service to run.',
    decided: ['Order is kept per customer, not across all customers'],
    left: ['A page that shows pending webhooks is a separate issue'],
    files: ['src/webhooks/send.ts'],
    done: [],
    tests: [],
    details: {
      criteria: [{ must: 'a restart loses none', test: 'kill -9 while 100 wait' }],
      risks: ['two servers at once'],
    },
  },
  plan: {
    summary: 'Four commits. Tests run with `npm test`, about 4 s.',
    decided: ['Rows are claimed with SKIP LOCKED'],
    done: [],
    left: [],
    files: ['src/webhooks/queue.ts', 'src/webhooks/send.ts', 'test/webhooks/queue.test.ts'],
    tests: ['npm test: 141 passed on the base branch'],
    details: {
      commands: { tests: 'npm test', lint: 'npm run lint' },
      steps: [
        {
          step: 'A table and the code that writes to it',
          files: ['src/webhooks/queue.ts'],
          'test first': 'all rows are still there after a restart',
          criteria: [1],
          'seen by': 'npm test',
        },
        {
          step: 'A sender that takes the oldest webhook of each customer',
          files: ['src/webhooks/send.ts'],
          criteria: [2, 3],
          'seen by': 'npm test',
        },
        {
          step: 'Retries with backoff',
          files: ['src/webhooks/send.ts'],
          criteria: [3],
          'seen by': 'npm test',
        },
        { step: 'Document the queue', files: ['docs/webhooks.md'], criteria: [], 'seen by': 'reading' },
      ],
    },
  },
};

export const DIFF: IssueDiff = {
  of: 'pull_request',
  says: 'Pull request 47.',
  base: 'a'.repeat(40),
  head: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
  truncated: false,
  files: [
    {
      path: 'src/webhooks/queue.ts',
      change: 'added',
      additions: 6,
      deletions: 0,
      cut: false,
      patch:
        '@@ -0,0 +1,6 @@\n+/** What waits to be sent. */\n+export class Queue {\n+\tadd(hook: Hook): void {\n+\t\tthis.#table.insert(hook);\n+\t}\n+}\n',
    },
    {
      path: 'src/webhooks/send.ts',
      change: 'changed',
      additions: 3,
      deletions: 2,
      cut: false,
      patch:
        '@@ -12,7 +12,8 @@ export function send(hook: Hook)\n   const url = hook.url;\n-  void fetch(url, { body: hook.body });\n-  return;\n+  const queue = openQueue();\n+  queue.add(hook);\n+  return queue.flush();\n }\n \n export function retry() {\n@@ -40,2 +41,2 @@\n a\n b\n\\ No newline at end of file\n',
    },
    {
      path: 'src/webhooks/backoff.ts',
      from: 'src/retry/backoff.ts',
      change: 'renamed',
      additions: 0,
      deletions: 0,
      cut: false,
      patch: '',
    },
    { path: 'docs/picture.png', change: 'changed', additions: null, deletions: null, cut: false, patch: '' },
    {
      path: 'package-lock.json',
      change: 'changed',
      additions: 4_000,
      deletions: 900,
      cut: true,
      patch: `@@ -1,1 +1,3000 @@\n${Array.from({ length: 3_000 }, (_, index) => `+    "node_modules/package-${index}": {}`).join('\n')}\n`,
    },
    {
      path: 'src/old/timer.ts',
      change: 'deleted',
      additions: 0,
      deletions: 1,
      cut: false,
      patch: '@@ -1 +0,0 @@\n-export {};\n',
    },
  ],
};
