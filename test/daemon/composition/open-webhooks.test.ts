import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { sign } from '@octokit/webhooks-methods';
import { afterEach, expect, inject, test } from 'vitest';
import type { LegionConfig } from '../../../src/config/legion/schema.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import { type OpenReceivers, openReceivers } from '../../../src/daemon/composition/open-webhooks.ts';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import type { GithubTracker } from '../../../src/integrations/github/tracker/open-github-tracker.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { eventually } from '../../ports/forge/eventually.ts';

const SECRET = 'a secret';
const SHA = '0123456789abcdef0123456789abcdef01234567';
const repository = { name: 'app', owner: { login: 'acme' }, full_name: 'acme/app', default_branch: 'main' };
const open: OpenReceivers[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receivers) => receivers.close()));
});

test.each([
  ['an issue on the board', 'issues', { action: 'edited', issue: { number: 7 } }],
  ['the pull request of an issue', 'pull_request', { action: 'edited', pull_request: pullRequest(41) }],
  ['a branch of an issue', 'push', { ref: 'refs/heads/acme-app-7' }],
])(
  'when GitHub delivers an event about %s, wakes only that issue and notifies its forge',
  async (_, event, body) => {
    const { deliver, woken, changedBranches, noted } = await receiving();
    await deliver(event, { ...body, repository, sender: { login: 'ada' } });
    expect(await eventually('a wake-up', () => woken.at(0))).toBe('acme-app-7');
    expect([woken, changedBranches]).toEqual([['acme-app-7'], ['acme-app-7']]);
    if (event === 'issues') expect(await eventually('a notice', () => noted.at(0))).toContain('#7');
  },
);

test('wakes the whole board when a delivery concerns an unknown issue', async () => {
  const { deliver, woken, changedBranches } = await receiving();
  await deliver('issues', { action: 'opened', issue: { number: 99 }, repository, sender: { login: 'ada' } });
  expect(await eventually('a wake-up', () => woken.at(0))).toBe('everything');
  expect(changedBranches).toEqual([]);
});

test('ignores a repeated delivery, even after a restart', async () => {
  const state = folder();
  const body = { action: 'edited', issue: { number: 7 }, repository, sender: { login: 'ada' } };
  const first = await receiving(state);
  expect(await first.deliver('issues', body, 'one')).toEqual({ accepted: true });
  expect(await first.deliver('issues', body, 'one')).toEqual({ accepted: false });
  const second = await receiving(state);
  expect(await second.deliver('issues', body, 'one')).toEqual({ accepted: false });
  expect(second.woken).toEqual([]);
});

const TRACKED = '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9';
test.each([
  ['wakes only the issue if it is on the board', TRACKED, 'acme-app-7', ['acme-app-7']],
  ['wakes the whole board if the issue is unknown', TRACKED.replace('2', '3'), 'everything', []],
])('when Linear delivers an event, %s', async (_, id, wakes, tells) => {
  const { options, woken, changedBranches, noted } = await parts(folder(), undefined, 'env:SECRET');
  const receivers = await openReceivers(options);
  open.push(receivers);
  expect(Object.keys(receivers.byService)).toEqual(['linear']);
  const body = { action: 'update', type: 'Issue', data: { id, identifier: 'ENG-7' } };
  const text = JSON.stringify({ ...body, webhookTimestamp: systemClock.now() });
  const headers: Record<string, string> = {
    'linear-delivery': crypto.randomUUID(),
    'linear-signature': createHmac('sha256', SECRET).update(text).digest('hex'),
  };
  const delivery = {
    header: (name: string) => headers[name],
    body: async () => new TextEncoder().encode(text),
  };
  expect(await receivers.byService.linear?.receive(delivery)).toEqual({ accepted: true });
  expect(await eventually('a wake-up', () => woken.at(0))).toBe(wakes);
  expect([woken, changedBranches]).toEqual([[wakes], tells]);
  expect(await eventually('a notice', () => noted.at(0))).toContain('ENG-7');
});

test('opens no webhook receiver if no secret is configured', async () => {
  const receivers = await openReceivers({ ...(await parts(folder(), undefined)).options });
  expect(receivers.byService).toEqual({});
});

function pullRequest(number: number) {
  return {
    number,
    head: { ref: 'anything', sha: SHA, repo: { full_name: 'acme/app' } },
    base: { ref: 'main' },
  };
}

async function receiving(state = folder()) {
  const { options, woken, changedBranches, noted } = await parts(state, 'env:SECRET');
  const receivers = await openReceivers(options);
  open.push(receivers);
  const deliver = async (event: string, body: object, id: string = crypto.randomUUID()) => {
    const text = JSON.stringify(body);
    const headers: Record<string, string> = {
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': await sign(SECRET, text),
    };
    return receivers.byService.github?.receive({
      header: (name) => headers[name],
      body: async () => new TextEncoder().encode(text),
    });
  };
  return { deliver, woken, changedBranches, noted };
}

async function parts(state: string, github: string | undefined, linear?: string) {
  const woken: string[] = [];
  const changedBranches: string[] = [];
  const noted: string[] = [];
  const boardView = new BoardView();
  const seen = { issue: { id: 'acme-app-7' }, pullRequest: { number: 41, headSha: SHA }, status: 'Testing' };
  boardView.replaceAll([seen as unknown as ObservedIssue]);
  const context = {
    boardView,
    clock: systemClock,
    problems: new ActiveProblems(systemClock, () => undefined),
    wake: (issue?: string) => void woken.push(issue ?? 'everything'),
  } as unknown as DaemonContext;
  const tracker = {
    idOf: (hint: object) => ('number' in hint && hint.number === 7 ? 'acme-app-7' : undefined),
  } as unknown as GithubTracker;
  const config = { credentials: { webhooks: { github, linear } } } as unknown as LegionConfig;
  const options = {
    config: () => config,
    environment: { SECRET },
    state,
    context,
    tracker,
    accounts: ['legion'],
    linear: { idOf: (tracked: string) => (tracked === TRACKED ? 'acme-app-7' : undefined) },
    onBranchChange: (branch: string) => void changedBranches.push(branch),
    log: (_: object, message: string) => void noted.push(message),
  };
  return { options, woken, changedBranches, noted };
}

function folder(): string {
  return mkdtempSync(join(inject('scratch'), 'receivers-'));
}
