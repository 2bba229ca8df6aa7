/** The requests that each operator command sends to a daemon. */
import { userInfo } from 'node:os';
import { WORKER } from './answers.ts';

const by = userInfo().username;
export const FINGERPRINT = 'f'.repeat(64);

/**
 * For each command: the command line, the request it sends, and texts that its output for a person
 * contains.
 */
export const ASKED: readonly (readonly [string, { line: string; body?: unknown }, readonly string[]])[] = [
  [
    'issue show SHOP-1',
    { line: 'GET /issues/SHOP-1' },
    [
      'SHOP-1  Sell ·[2Jtea',
      'ada',
      'implement  2',
      'Specification\nSell ·[2Jgreen tea\n  - In bags\ntests  unit\nSteps\n',
    ],
  ],
  [
    'issue close SHOP-1',
    { line: 'DELETE /issues/SHOP-1' },
    ['SHOP-1 is closed (column Closed)', 'Its implement worker is stopping (began '],
  ],
  [
    'issue move SHOP-1 in-progress',
    { line: 'POST /issues/SHOP-1/move', body: { status: 'In Progress' } },
    ['in Todo', 'Its plan worker is stopped.', 'Legion starts on SHOP-1 again.'],
  ],
  [
    'issue label SHOP-1 +bug -docs -x',
    { line: 'POST /issues/SHOP-1/labels', body: { add: ['bug'], remove: ['docs', 'x'] } },
    ['SHOP-1 has bug'],
  ],
  [
    'issue comment SHOP-1 two words',
    { line: 'POST /issues/SHOP-1/comments', body: { text: 'two words', author: by } },
    ['So it is.'],
  ],
  [
    'issue edit SHOP-1 --title New --priority urgent',
    { line: 'PATCH /issues/SHOP-1', body: { title: 'New', priority: 1 } },
    ['SHOP-1 was changed'],
  ],
  [
    'issue edit SHOP-1 --blocked-by SHOP-2 --not-blocked-by SHOP-3',
    { line: 'PATCH /issues/SHOP-1', body: { blockers: { add: ['SHOP-2'], remove: ['SHOP-3'] } } },
    ['SHOP-1 was changed'],
  ],
  [
    'inbox',
    { line: 'GET /inbox' },
    [
      'SHOP-1  question: Sell tea',
      'Green or black?',
      'legion answer SHOP-1 "…"',
      '  Read it: legion diff SHOP-4\n  legion approve SHOP-4\n',
      'CI failed at 0123456789. End of the unit log (run `legion ci SHOP-3` for more):\n    line 1\n    ·[2Jnot ok 2\n',
    ],
  ],
  ['gates SHOP-1', { line: 'GET /issues/SHOP-1/gates' }, ['not ready to merge', '✗ tests passed', '? small']],
  [
    'diff SHOP-1',
    { line: 'GET /issues/SHOP-1/diff' },
    [
      'SHOP-1: Pull request 7 (0123456789..fedcba9876)\n',
      '  src/tea.js  changed, +1 -1\n  cup.png → tea.png  renamed, binary\n',
      '  The rest is too long to show here.\n',
      'src/tea.js\n@@ -1 +1 @@\n-coffee\n+tea ·[2J\n',
    ],
  ],
  [
    'ci SHOP-1',
    { line: 'GET /issues/SHOP-1/ci?lines=20' },
    [
      'SHOP-1: CI fails at the head of the pull request. (pull request 7 at 0123456789)',
      '✗ unit  failing  https://ci.example.org/1',
      '? e2e   could not run',
      'End of the unit log\n  line 1\n  ·[2Jnot ok 2 - tea\n',
      'End of the e2e log\n  GitHub no longer has the log.\n',
      'No warnings',
      'The baseline of shop is red.\n  no tea [baseline.failed]\n  Fix the base branch.',
    ],
  ],
  [
    'ci SHOP-1 --lines 5 --check a&b=c',
    { line: 'GET /issues/SHOP-1/ci?lines=5&check=a%26b%3Dc' },
    ['SHOP-1: CI fails'],
  ],
  [
    'explain SHOP-1',
    { line: 'GET /issues/SHOP-1/gates' },
    [
      'due           start a merger\n',
      'why           This phase has not been worked on yet.\n',
      'next          Legion continues by itself when it reports',
      'read it       legion diff SHOP-1\n',
      'rounds        ci failure 1',
      'health healthy (thinking): It wrote 3 s ago.',
      'legion answer SHOP-1 --question 4 TEXT',
      '✓ ci green',
      'write issue, began ',
      'decided dispatch_implementer',
    ],
  ],
  [
    'explain SHOP-1 --details',
    { line: 'GET /issues/SHOP-1/gates' },
    [
      'why           This phase has not been worked on yet. [due]',
      'due           start a merger [dispatch_merger]',
      'write issue (intent 9)',
      'evidence      status=Retro',
      'evidence process=alive; agent=text 3 s ago',
      'decided dispatch_implementer (mode=implement)',
    ],
  ],
  [
    'answer SHOP-1 black tea',
    { line: 'POST /issues/SHOP-1/answer', body: { text: 'black tea', by } },
    ['So it is.'],
  ],
  [
    'answer SHOP-1 --question 4 green',
    { line: 'POST /issues/SHOP-1/answer', body: { text: 'green', by, question: 4 } },
    ['So it is.'],
  ],
  ['pause', { line: 'POST /pause', body: { by } }, ['So it is.']],
  [
    'pause SHOP-1 --why rest',
    { line: 'POST /issues/SHOP-1/pause', body: { by, why: 'rest' } },
    ['So it is.'],
  ],
  ['resume SHOP-1', { line: 'POST /issues/SHOP-1/resume', body: { by } }, ['So it is.']],
  ['resume', { line: 'POST /resume', body: { by } }, ['So it is.']],
  ['rollback SHOP-1', { line: 'POST /issues/SHOP-1/rollback', body: { by } }, ['So it is.']],
  ['pr merge 5', { line: 'POST /pull-requests/5/merge', body: { by, force: false } }, ['So it is.']],
  [
    'pr merge #5 --force --repo shop',
    { line: 'POST /pull-requests/5/merge', body: { by, force: true, repo: 'shop' } },
    ['So it is.'],
  ],
  ['gc', { line: 'POST /gc' }, ['1 removed, 1 kept, 0 pruned', 'SHOP-1: not pushed']],
  ['metrics', { line: 'GET /metrics' }, ['legion_workers 1']],
  ['stop SHOP-1', { line: `DELETE /workers/shop-1-implement?by=${by}&restart=false` }, ['So it is.']],
  [
    'stop SHOP-1 implement --restart',
    { line: `DELETE /workers/shop-1-implement?by=${by}&restart=true` },
    ['So it is.'],
  ],
  ['halt --why fire', { line: 'POST /halt', body: { by, why: 'fire' } }, ['So it is.']],
  ['halt', { line: 'POST /halt', body: { by } }, ['So it is.']],
  ['stop --all', { line: 'POST /halt', body: { by } }, ['So it is.']],
  [
    'reset-crashes SHOP-1',
    { line: `DELETE /workers/shop-1-implement/crashes?by=${by}` },
    ['shop-1-implement: So'],
  ],
  [
    'prompt SHOP-1 go on',
    {
      line: 'POST /workers/shop-1-implement/prompt',
      body: { text: 'go on', by, interrupt: false, onlyIfWorking: true },
    },
    ['shop-1-implement: queued. It is busy.'],
  ],
  [
    'prompt SHOP-1 --mode implement go on',
    {
      line: 'POST /workers/shop-1-implement/prompt',
      body: { text: 'go on', by, interrupt: false, onlyIfWorking: false },
    },
    ['shop-1-implement: queued. It is busy.'],
  ],
  [
    'dispatch SHOP-1 finish --force --version 2 --env A=b=c --prompt hurry --repo acme/shop',
    {
      line: 'POST /workers',
      body: {
        issue: 'SHOP-1',
        mode: 'merge',
        force: true,
        by,
        version: 2,
        env: { A: 'b=c' },
        prompt: 'hurry',
        repo: 'acme/shop',
      },
    },
    [`shop-1-implement is executing, attempt 2, session ${WORKER.sessionId}`],
  ],
  [
    'advance SHOP-1 --stage in-progress --dry-run',
    { line: 'POST /state/advance', body: { issue: 'SHOP-1', stage: 'In Progress', dryRun: true, by } },
    ['SHOP-1 would be advanced', 'dispatch_merger (merge): It is due.', 'start merge'],
  ],
  [
    'advance SHOP-1 --stage merge',
    { line: 'POST /state/advance', body: { issue: 'SHOP-1', stage: 'merge', dryRun: false, by } },
    ['dispatch_merger (merge): It is due.'],
  ],
  ['handoff read SHOP-1 --phase plan', { line: 'GET /issues/SHOP-1/handoffs' }, ['"summary": "Three steps"']],
  [
    'approve --commands shop',
    { line: 'POST /repositories/commands/approve', body: { repo: 'shop', fingerprint: FINGERPRINT, by } },
    ['test  npm run "a b"', 'Prompt reason.start\n  │ Begin.\n  │ ·Now.\n', 'So it is.'],
  ],
];
