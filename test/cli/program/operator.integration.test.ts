/**
 * Tests each operator command: the request it sends, and the output for a person and for a program.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  APPROVAL,
  CARD,
  CI,
  DIFF,
  DONE,
  EXPLANATION,
  GATES,
  HEALTH,
  INBOX,
  ISSUE,
  RED,
  STATE,
  WORKER,
} from '../support/answers.ts';
import { ASKED, FINGERPRINT } from '../support/asked.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';
import { openWireDaemon, refusal, type WireDaemon } from '../support/wire-daemon.ts';

const said = { says: 'So it is.' };
const home = newHome();
const here = { cwd: home.repository, env: home.env };
const TWO_PARTS = [
  { worker: WORKER.id, attempt: 2, offset: 0, text: 'first\n', nextOffset: 6, more: true },
  { worker: WORKER.id, attempt: 2, offset: 6, text: 'second\n', nextOffset: 13, more: false },
];

const TROUBLED = {
  ...HEALTH,
  troubles: [{ code: 'forge.busy', message: 'locked', next: 'Wait.', since: 1 }],
};

let daemon: WireDaemon;
beforeAll(async () => {
  writeLegionFile(home.repository);
  daemon = await openWireDaemon(home.state, {
    'GET /health': TROUBLED,
    'GET /issues': [DONE, ISSUE],
    'POST /issues': (body: { title: string }) => ({ ...ISSUE, title: body.title, status: 'Triage' }),
    'GET /issues/SHOP-1': {
      issue: ISSUE,
      comments: [comment()],
      pullRequest: null,
      workers: [WORKER],
      specification: {
        summary: 'Sell \u001b[2Jgreen tea',
        decided: ['In bags'],
        done: [],
        left: [],
        files: [],
        tests: ['unit'],
        details: 'Steps',
      },
    },
    'GET /issues/SHP-1': refusal(404, 'tracker.issue_unknown', 'SHP-1 is not on the board'),
    'GET /board': { at: 1, version: 1, isPresent: true, readAt: 1, omitted: 0, cards: [CARD] },
    'GET /issues/SHOP-99': refusal(404, 'tracker.issue_unknown', 'SHOP-99 is not on the board'),
    'PATCH /issues/SHOP-1': ISSUE,
    'DELETE /issues/SHOP-1': {
      ...ISSUE,
      status: 'terminal',
      column: 'Closed',
      stoppedWorkers: [{ mode: 'implement', stopping: { since: 1, graceEndsAt: 2 } }],
    },
    'POST /issues/SHOP-1/comments': said,
    'POST /issues/SHOP-1/labels': { ...ISSUE, labels: ['bug'] },
    'POST /issues/SHOP-1/move': {
      ...ISSUE,
      status: 'Todo',
      column: 'Todo',
      stoppedWorkers: [{ mode: 'plan' }],
      notes: ['Legion starts on SHOP-1 again.'],
    },
    'GET /issues/SHOP-1/explain': EXPLANATION,
    'GET /issues/SHOP-1/gates': GATES,
    'GET /issues/SHOP-1/ci': CI,
    'GET /issues/SHOP-2': {
      issue: { ...ISSUE, id: 'SHOP-2' },
      comments: [],
      pullRequest: null,
      workers: [],
    },
    'DELETE /workers/shop-2-plan': refusal(404, 'worker.unknown', 'there is no worker shop-2-plan'),
    'GET /issues/SHOP-2/ci': {
      ...CI,
      issue: 'SHOP-2',
      number: null,
      sha: null,
      checks: [],
      problems: [],
      says: 'SHOP-2 has no pull request yet.',
    },
    'GET /issues/SHOP-1/diff': DIFF,
    'GET /issues/SHOP-1/handoffs': { handoffs: { plan: { summary: 'Three steps' } } },
    'PUT /issues/SHOP-1/handoffs/test': said,
    'POST /issues/SHOP-1/approve': refusal(409, 'approval.not_due', 'SHOP-1 waits for nothing'),
    'POST /issues/SHOP-1/answer': said,
    'POST /issues/SHOP-1/pause': said,
    'POST /issues/SHOP-1/resume': said,
    'POST /issues/SHOP-1/rollback': {
      ...said,
      pullRequest: 5,
      branch: 'revert-1',
      base: 'main',
      state: 'open',
    },
    'POST /pull-requests/5/merge': {
      ...said,
      pullRequest: 5,
      issue: 'SHOP-1',
      base: 'main',
      mergedSha: 'abc',
      reverts: 4,
      forced: true,
    },
    'POST /pause': said,
    'POST /halt': { ...said, stopped: [WORKER.id], merging: [] },
    'POST /resume': said,
    'POST /gc': { removed: ['SHOP-2'], kept: [{ issue: 'SHOP-1', why: 'not pushed' }], pruned: [] },
    'GET /inbox': [INBOX, APPROVAL, RED],
    'GET /workers': [{ ...WORKER, workspace: join(home.folder, 'ws') }],
    'POST /workers': WORKER,
    'GET /workers/shop-1-implement': { ...WORKER, status: 'finished' },
    'DELETE /workers/shop-1-implement': { ...said, held: true },
    'DELETE /workers/shop-1-implement/crashes': said,
    'POST /workers/shop-1-implement/prompt': { delivery: 'queued', message: 3, says: 'It is busy.' },
    'GET /workers/shop-1-implement/logs': () => TWO_PARTS[daemon.heard.filter(isLog).length - 1],
    'GET /status': { daemon: TROUBLED, waiting: 3, isOutdated: false, issues: [STATE] },
    'POST /state/advance': () => advanceAnswer(daemon.heard.at(-1)?.body as { issue: string }),
    'GET /metrics': 'legion_workers 1\n',
    'GET /repositories/commands': [
      {
        repo: 'shop',
        fingerprint: FINGERPRINT,
        approved: false,
        commands: { test: ['npm', 'run', 'a b'] },
        prompts: { 'reason.start': 'Begin.\n\u202eNow.\n' },
      },
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

test.each(ASKED)(
  '`legion %s` sends the expected request and shows the response',
  async (line, { line: request, body }, texts) => {
    const person = await perform(here, ...line.split(' '));
    expect(person.error).toBeUndefined();
    expect(person.exit).toBe(0);
    expect(daemon.heard.at(-1)).toEqual({ line: request, body });
    for (const text of texts) expect(person.out).toContain(text);
    expect(person.out).not.toContain('\u001b');

    const machine = await perform(here, ...line.split(' '), '--json');
    expect(JSON.parse(machine.out)).toBeTypeOf('object');
  },
);

test('an error about an unknown id suggests an existing id with the same number', async () => {
  const { error } = await perform(here, 'issue', 'show', 'SHP-1');
  expect(error?.message).toBe('SHP-1 is not on the board. Did you mean SHOP-1?');
});

test('`legion ci` for an issue without a pull request mentions the issue only once', async () => {
  expect((await perform(here, 'ci', 'SHOP-2')).out).toMatch(/^SHOP-2 has no pull request yet\.\n/);
});

test('`legion status` shows the daemon, its problems, what waits for a person, and the reason for the state of each issue', async () => {
  const { stdout, code } = await legionIn(here, 'status');
  expect(code).toBe(0);
  expect(stdout).toContain('workers 1 of 4; board local, forge local');
  expect(stdout).toContain('problem locked [forge.busy]');
  expect(stdout).toContain('3 waiting for you: run legion inbox');
  expect(stdout).toMatch(
    /SHOP-1 {2}Retro {3}implement executing {2}Sell tea {2}This phase has not been worked on yet\./,
  );
});

test('`legion issue list` omits finished issues, unless --all or --status selects them', async () => {
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

describe('text input', () => {
  test('`legion issue add`, run as a real process, reads the body from standard input', async () => {
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

  test.each([
    ['issue add Tea --body-file nots.md', '--body-file'],
    ['issue edit SHOP-1 --body-file nots.md', '--body-file'],
    ['handoff write SHOP-1 --phase test --file nots.md', '--file'],
  ])('`legion %s` reports the option and the missing file', async (line, option) => {
    const { error } = await perform(here, ...line.split(' '));
    expect(error).toMatchObject({
      code: 'usage.file_unreadable',
      message: `${option}: the file ${join(home.repository, 'nots.md')} does not exist`,
    });
    expect(error?.fault.next).not.toContain('legion init');
  });

  test('reports the path if a folder is given instead of a text file', async () => {
    const { error } = await perform(here, 'issue', 'add', 'Tea', '--body-file', '.');
    expect(error).toMatchObject({
      code: 'usage.file_unreadable',
      message: `--body-file: ${home.repository}: is a folder, expected a file`,
    });
  });

  test('`legion handoff write` reads standard input and rejects input that is not a valid handoff', async () => {
    const write = ['handoff', 'write', 'SHOP-1', '--phase', 'test'];
    const good = await perform({ ...here, input: '{"summary":"Green"}' }, ...write);
    expect(good.out).toBe('So it is.\n');
    expect(daemon.heard.at(-1)).toEqual({
      line: 'PUT /issues/SHOP-1/handoffs/test',
      body: { summary: 'Green', decided: [], done: [], left: [], files: [], tests: [] },
    });
    const bad = await perform({ ...here, input: '[1]' }, ...write);
    expect(bad.error).toMatchObject({
      code: 'input.invalid',
      message: 'standard input is not a JSON object.',
    });
    const incomplete = await perform({ ...here, input: '{"done":["a"]}' }, ...write);
    expect(incomplete.error).toMatchObject({
      code: 'input.invalid',
      message: 'standard input.summary: is missing',
    });
  });

  test('`legion handoff read` reports a missing handoff as an error instead of printing nothing', async () => {
    const { error } = await perform(here, 'handoff', 'read', 'SHOP-1', '--phase', 'retro');
    expect(error).toMatchObject({ code: 'handoff.missing', message: 'SHOP-1 has no retro handoff.' });
  });

  test('`legion handoff read` finds the issue that belongs to a workspace folder, and refuses any other folder', async () => {
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
      message: `${home.repository} is not the workspace of an issue.`,
    });
  });
});

test('`legion logs` prints the whole log, even if reading it takes several requests', async () => {
  const { out } = await perform(here, 'logs', 'SHOP-1', '--stderr', '--attempt', '2');
  expect(out).toBe('first\nsecond\n');
  expect(daemon.heard.filter(isLog).map(({ line }) => line)).toEqual([
    'GET /workers/shop-1-implement/logs?offset=0&stream=err&attempt=2',
    'GET /workers/shop-1-implement/logs?offset=6&stream=err&attempt=2',
  ]);
});

test('`legion logs --follow` for a worker that has ended prints everything and exits', async () => {
  const { out, exit } = await perform(here, 'logs', 'SHOP-1', 'implement', '--follow');
  expect({ out, exit }).toEqual({ out: 'first\nsecond\n', exit: 0 });
});

test('a command that the daemon refuses prints the daemon’s error code and exits with 1', async () => {
  const { code, stderr } = await legionIn(here, 'approve', 'SHOP-1');
  expect(code).toBe(1);
  expect(stderr).toContain('legion: SHOP-1 waits for nothing [approval.not_due]\n');
});

test('`legion advance` refuses an unknown stage without a request', async () => {
  const { error } = await perform(here, 'advance', 'SHOP-1', '--stage', 'triage');
  expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining('retro') });
  expect(daemon.heard).toEqual([]);
});

test('`legion advance` exits with 1 and prints the reason if it changed nothing', async () => {
  const { out, exit } = await perform(here, 'advance', 'SHOP-2');
  expect(exit).toBe(1);
  expect(out).toContain('SHOP-2 was not advanced: All worker slots are taken.');
  expect(out).toContain('Run `legion explain SHOP-2`');
});

test('`legion approve` lists the valid repositories if the given one is unknown', async () => {
  const { error } = await perform(here, 'approve', '--commands', 'acme/other');
  expect(error).toMatchObject({ code: 'repository.missing' });
  expect(error?.message).toContain('Valid: shop');
});

test('`legion stop` without an issue is refused while workers are running, and the error lists the commands to use instead', async () => {
  const { error } = await perform(here, 'stop');
  expect(error?.code).toBe('usage.invalid');
  for (const command of ['legion stop ISSUE', 'legion stop --all', 'legion halt', 'legion down'])
    expect(error?.message).toContain(`\`${command}\``);
  expect(error?.message).toContain(WORKER.id);
  expect(daemon.heard.map(({ line }) => line)).not.toContainEqual(expect.stringContaining('/shutdown'));
});

test('`legion stop` for an issue without a worker recommends the command that prevents a worker from starting', async () => {
  const next = 'Run `legion pause SHOP-2` so that no worker starts for it.';
  const { error } = await perform(here, 'stop', 'SHOP-2');
  expect(error).toMatchObject({ code: 'worker.unknown', message: 'SHOP-2 has had no worker yet' });
  expect(error?.fault.next).toBe(next);
  expect((await perform(here, 'stop', 'SHOP-2', 'plan')).error?.fault).toMatchObject({
    code: 'worker.unknown',
    next,
  });
  expect((await perform(here, 'logs', 'SHOP-2')).error?.fault.next).toContain('`legion explain SHOP-2`');
});

test.each(['stop', 'prompt', 'view', 'logs', 'reset-crashes'])(
  '`legion %s` reports that an unknown issue is not on the board',
  async (name) => {
    const text = name === 'prompt' ? ['Hello'] : [];
    const { error } = await perform(here, name, 'SHOP-99', ...text);
    expect(error).toMatchObject({
      code: 'tracker.issue_unknown',
      message: 'SHOP-99 is not on the board',
    });
  },
);

test('`legion teams` lists every legion of the user, running or not', async () => {
  const { out } = await perform(here, 'teams', '--json');
  expect(JSON.parse(out)).toMatchObject([
    { legion: 'shop', running: true, pid: process.pid, workers: { live: 1 } },
  ]);
});

test('`legion up` for a running legion is refused, and the error identifies the running daemon', async () => {
  const { error } = await perform(here, 'up');
  expect(error?.code).toBe('daemon.running');
  expect(error?.message).toContain(
    `A daemon for shop is already running: pid ${process.pid} at http://127.0.0.1:`,
  );
});

/** Responds that only SHOP-1 can be advanced. */
function advanceAnswer({ issue, dryRun = false }: { readonly issue: string; readonly dryRun?: boolean }) {
  const advanced = issue === 'SHOP-1';
  return {
    issue,
    dryRun,
    advanced: advanced && !dryRun,
    says: advanced
      ? `${issue} ${dryRun ? 'would be' : 'was'} advanced.`
      : `${issue} was not advanced: All worker slots are taken.`,
    decisions: [{ action: 'dispatch_merger', mode: 'merge', reason: 'due', says: 'It is due.' }],
    commands: advanced ? ['start merge'] : [],
    status: 'Retro',
  };
}

function comment() {
  return { id: '1', author: 'ada', by: 'writer', at: 1_000, text: 'Please.' };
}

function isLog({ line }: { readonly line: string }): boolean {
  return line.includes('/logs');
}
