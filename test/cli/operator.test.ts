/** What each command asks of a daemon, and how it shows the answer: to a person, and to a machine. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DONE, EXPLANATION, GATES, HEALTH, INBOX, ISSUE, STATE, WORKER } from './answers.ts';
import { newHome, writeLegionFile } from './home.ts';
import { perform } from './in-process.ts';
import { legionIn } from './legion.ts';
import { openWireDaemon, refusal, type WireDaemon } from './wire-daemon.ts';

const by = userInfo().username;
const said = { says: 'So it is.' };
const home = newHome();
const here = { cwd: home.repository, env: home.env };
const FINGERPRINT = 'f'.repeat(64);
const TWO_PARTS = [
  { worker: WORKER.id, attempt: 2, text: 'first\n', nextOffset: 6, more: true },
  { worker: WORKER.id, attempt: 2, text: 'second\n', nextOffset: 13, more: false },
];

let daemon: WireDaemon;
beforeAll(async () => {
  writeLegionFile(home.repository);
  daemon = await openWireDaemon(home.state, {
    'GET /health': {
      ...HEALTH,
      troubles: [{ code: 'forge.busy', message: 'locked', next: 'Wait.', since: 1 }],
    },
    'GET /issues': [DONE, ISSUE],
    'POST /issues': (body: { title: string }) => ({ ...ISSUE, title: body.title, status: 'Triage' }),
    'GET /issues/SHOP-1': { issue: ISSUE, comments: [comment()], pullRequest: null, workers: [WORKER] },
    'PATCH /issues/SHOP-1': ISSUE,
    'DELETE /issues/SHOP-1': { ...ISSUE, status: 'terminal', column: 'Closed' },
    'POST /issues/SHOP-1/comments': said,
    'POST /issues/SHOP-1/labels': { ...ISSUE, labels: ['bug'] },
    'POST /issues/SHOP-1/move': { ...ISSUE, status: 'Todo', column: 'Todo' },
    'POST /issues/SHOP-1/blockers': ISSUE,
    'GET /issues/SHOP-1/explain': EXPLANATION,
    'GET /issues/SHOP-1/gates': GATES,
    'GET /issues/SHOP-1/handoffs': { handoffs: { plan: { summary: 'Three steps' } } },
    'PUT /issues/SHOP-1/handoffs/test': said,
    'POST /issues/SHOP-1/approve': refusal(409, 'approval.not_due', 'SHOP-1 waits for nothing'),
    'POST /issues/SHOP-1/answer': said,
    'POST /issues/SHOP-1/pause': said,
    'POST /issues/SHOP-1/resume': said,
    'POST /issues/SHOP-1/rollback': { ...said, pullRequest: 5, branch: 'revert-1' },
    'POST /pause': said,
    'POST /resume': said,
    'POST /gc': { removed: ['SHOP-2'], kept: [{ issue: 'SHOP-1', why: 'not pushed' }], pruned: [] },
    'GET /inbox': [INBOX],
    'GET /workers': [{ ...WORKER, workspace: join(home.folder, 'ws') }],
    'POST /workers': WORKER,
    'GET /workers/shop-1-implement': { ...WORKER, status: 'finished' },
    'DELETE /workers/shop-1-implement': said,
    'DELETE /workers/shop-1-implement/crashes': said,
    'POST /workers/shop-1-implement/prompt': { delivery: 'queued', message: 3, says: 'It is busy.' },
    'GET /workers/shop-1-implement/logs': () => TWO_PARTS[daemon.heard.filter(isLog).length - 1],
    'POST /state/fetch-and-collect': { issues: { 'SHOP-1': STATE }, at: 1 },
    'POST /state/advance': {
      ...{ issue: 'SHOP-1', dryRun: true, commands: ['start merge'], status: 'Retro' },
      decisions: [{ action: 'dispatch_merger', mode: 'merge', reason: 'due', says: 'It is due.' }],
    },
    'GET /metrics': 'legion_workers 1\n',
    'GET /repositories/commands': [
      { repo: 'shop', fingerprint: FINGERPRINT, approved: false, commands: { test: ['npm', 'run', 'a b'] } },
    ],
    'POST /repositories/commands/approve': said,
  });
});
afterAll(async () => {
  await daemon.close();
  home.remove();
});
beforeEach(() => {
  daemon.heard.length = 0;
});

/** The line, the request it ends in, and what a person reads. */
const ASKED: readonly (readonly [string, { line: string; body?: unknown }, readonly string[]])[] = [
  ['issue show SHOP-1', { line: 'GET /issues/SHOP-1' }, ['SHOP-1  Sell ·[2Jtea', 'ada', 'implement  2']],
  ['issue close SHOP-1', { line: 'DELETE /issues/SHOP-1' }, ['SHOP-1 is closed (column Closed)']],
  [
    'issue move SHOP-1 in-progress',
    { line: 'POST /issues/SHOP-1/move', body: { status: 'In Progress' } },
    ['in Todo'],
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
    ['SHOP-1 is changed'],
  ],
  [
    'issue edit SHOP-1 --blocked-by SHOP-2 --not-blocked-by SHOP-3',
    { line: 'POST /issues/SHOP-1/blockers', body: { add: ['SHOP-2'], remove: ['SHOP-3'] } },
    ['SHOP-1 is changed'],
  ],
  [
    'inbox',
    { line: 'GET /inbox' },
    ['SHOP-1  question: Sell tea', 'Green or black?', 'legion answer SHOP-1 "…"'],
  ],
  ['gates SHOP-1', { line: 'GET /issues/SHOP-1/gates' }, ['not ready to merge', '✗ tests passed', '? small']],
  [
    'explain SHOP-1',
    { line: 'GET /issues/SHOP-1/gates' },
    [
      'due           dispatch_merger',
      'why           This phase has not been worked on yet. [due]',
      'until         it reports (worker)',
      'rounds        ci_failure 1',
      'health healthy (thinking): It wrote 3 s ago.',
      'legion answer SHOP-1 --question 4 TEXT',
      '✓ ci green',
      'write_issue (intent 9)',
      'decided dispatch_implementer',
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
  ['rollback SHOP-1', { line: 'POST /issues/SHOP-1/rollback', body: { by } }, ['#5 on revert-1. So it is.']],
  ['gc', { line: 'POST /gc' }, ['1 removed, 1 kept, 0 forgotten', 'SHOP-1: not pushed']],
  ['metrics', { line: 'GET /metrics' }, ['legion_workers 1']],
  ['stop SHOP-1', { line: `DELETE /workers/shop-1-implement?by=${by}` }, ['shop-1-implement: So it is.']],
  [
    'reset-crashes SHOP-1',
    { line: `DELETE /workers/shop-1-implement/crashes?by=${by}` },
    ['shop-1-implement: So'],
  ],
  [
    'prompt SHOP-1 go on',
    { line: 'POST /workers/shop-1-implement/prompt', body: { text: 'go on', by } },
    ['shop-1-implement: queued. It is busy.'],
  ],
  [
    'dispatch SHOP-1 finish --force --version 2 --env A=b=c --prompt hurry --repo acme/shop',
    {
      line: 'POST /workers',
      body: {
        ...{ issue: 'SHOP-1', mode: 'merge', force: true, by, version: 2, env: { A: 'b=c' } },
        ...{ prompt: 'hurry', repo: 'acme/shop' },
      },
    },
    [`shop-1-implement is executing, attempt 2, session ${WORKER.sessionId}`],
  ],
  [
    'advance SHOP-1 --stage review --dry-run',
    { line: 'POST /state/advance', body: { issue: 'SHOP-1', stage: 'Needs Review', dryRun: true } },
    ['SHOP-1 would be advanced', 'dispatch_merger (merge): It is due.', 'start merge'],
  ],
  ['handoff read SHOP-1 --phase plan', { line: 'GET /issues/SHOP-1/handoffs' }, ['"summary": "Three steps"']],
  [
    'approve --commands shop',
    { line: 'POST /repositories/commands/approve', body: { repo: 'shop', fingerprint: FINGERPRINT, by } },
    ['test  npm run "a b"', 'So it is.'],
  ],
];

test.each(ASKED)('legion %s', async (line, { line: request, body }, texts) => {
  const person = await perform(here, ...line.split(' '));
  expect(person.error).toBeUndefined();
  expect(person.exit).toBe(0);
  expect(daemon.heard.at(-1)).toEqual({ line: request, body });
  for (const text of texts) expect(person.out).toContain(text);
  expect(person.out).not.toContain('\u001b');

  const machine = await perform(here, ...line.split(' '), '--json');
  expect(JSON.parse(machine.out)).toBeTypeOf('object');
});

test('status shows the daemon, its troubles, what waits, and why each issue stands where it does', async () => {
  const { stdout, code } = await legionIn(here, 'status');
  expect(code).toBe(0);
  expect(stdout).toContain('workers 1 of 4; board local, forge local');
  expect(stdout).toContain('trouble locked [forge.busy]');
  expect(stdout).toContain('1 waiting for you: legion inbox');
  expect(stdout).toMatch(
    /SHOP-1 {2}Retro {3}implement executing {2}Sell tea {2}This phase has not been worked on yet\./,
  );
});

test('issue list leaves out what is over, and --all and --status choose', async () => {
  const lists = await Promise.all(
    [[], ['--all'], ['--status', 'done']].map(
      async (more) => (await perform(here, 'issue', 'list', ...more, '--json')).out,
    ),
  );
  expect(lists.map((list) => JSON.parse(list).map(({ id }: { id: string }) => id))).toEqual([
    ['SHOP-1'],
    ['SHOP-1', 'SHOP-2'],
    ['SHOP-2'],
  ]);
});

describe('texts', () => {
  test('an issue takes its body from standard input, as a real process does', async () => {
    const args = [
      'issue',
      'add',
      'Sell',
      'coffee',
      '--body-file',
      '-',
      '--label',
      'a',
      '--label',
      'b',
      '--priority',
      '2',
    ];
    const { code, stdout } = await legionIn({ ...here, input: 'Much\ncoffee' }, ...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'SHOP-1 is in Triage: Sell coffee\n' });
    expect(daemon.heard).toEqual([
      {
        line: 'POST /issues',
        body: { title: 'Sell coffee', body: 'Much\ncoffee', labels: ['a', 'b'], priority: 2, blockedBy: [] },
      },
    ]);
  });

  test('a handoff is read from standard input and must be an object', async () => {
    const write = ['handoff', 'write', 'SHOP-1', '--phase', 'test'];
    const good = await perform({ ...here, input: '{"summary":"Green"}' }, ...write);
    expect(good.out).toBe('So it is.\n');
    expect(daemon.heard.at(-1)).toEqual({
      line: 'PUT /issues/SHOP-1/handoffs/test',
      body: { summary: 'Green' },
    });
    const bad = await perform({ ...here, input: '[1]' }, ...write);
    expect(bad.error).toMatchObject({
      code: 'input.invalid',
      message: 'standard input is not a JSON object',
    });
  });

  test('a handoff that was not left is an error, not an empty answer', async () => {
    const { error } = await perform(here, 'handoff', 'read', 'SHOP-1', '--phase', 'retro');
    expect(error).toMatchObject({ code: 'handoff.missing', message: 'SHOP-1 has no handoff of retro' });
  });

  test('a folder within a workspace names the issue, any other folder none', async () => {
    const within = await perform(
      here,
      'handoff',
      'read',
      '--workspace',
      join(home.folder, 'ws/src'),
      '--json',
    );
    expect(JSON.parse(within.out)).toEqual({ plan: { summary: 'Three steps' } });
    const { error } = await perform(here, 'handoff', 'read');
    expect(error).toMatchObject({
      code: 'handoff.missing',
      message: `${home.repository} is not the workspace of an issue`,
    });
  });
});

test('logs are read to their end, and a machine gets them whole', async () => {
  const { out } = await perform(here, 'logs', 'SHOP-1', '--stderr', '--attempt', '2');
  expect(out).toBe('first\nsecond\n');
  expect(daemon.heard.filter(isLog).map(({ line }) => line)).toEqual([
    'GET /workers/shop-1-implement/logs?offset=0&stream=err&attempt=2',
    'GET /workers/shop-1-implement/logs?offset=6&stream=err&attempt=2',
  ]);
});

test('following a worker that has ended prints everything and ends', async () => {
  const { out, exit } = await perform(here, 'logs', 'SHOP-1', 'implement', '--follow');
  expect({ out, exit }).toEqual({ out: 'first\nsecond\n', exit: 0 });
});

test('a refusal of the daemon keeps its code, and ends with 1', async () => {
  const { code, stderr } = await legionIn(here, 'approve', 'SHOP-1');
  expect(code).toBe(1);
  expect(stderr).toContain('legion: SHOP-1 waits for nothing [approval.not_due]\n');
});

test('a repository that is none of the legion is named, with those that are', async () => {
  const { error } = await perform(here, 'approve', '--commands', 'acme/other');
  expect(error).toMatchObject({ code: 'repository.missing' });
  expect(error?.message).toContain('there are: shop');
});

test('teams lists every legion of the user, running or not', async () => {
  const { out } = await perform(here, 'teams', '--json');
  expect(JSON.parse(out)).toMatchObject([
    { legion: 'shop', running: true, pid: process.pid, workers: { live: 1 } },
  ]);
});

test('a second daemon of the same legion is refused with the name of the first', async () => {
  const { error } = await perform(here, 'up');
  expect(error?.code).toBe('daemon.running');
  expect(error?.message).toContain(`shop is led by pid ${process.pid} on local`);
});

function comment() {
  return { id: '1', author: 'ada', by: 'writer', at: 1_000, text: 'Please.' };
}

function isLog({ line }: { readonly line: string }): boolean {
  return line.includes('/logs');
}
