import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { sign } from '@octokit/webhooks-methods';
import { afterEach, expect, inject, test } from 'vitest';
import type { LegionConfig } from '../../../src/config/legion/schema.ts';
import type { SeenIssue } from '../../../src/core/state/observation.ts';
import { BoardView } from '../../../src/daemon/board-view.ts';
import { type OpenReceivers, openReceivers } from '../../../src/daemon/compose-receivers.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import type { World } from '../../../src/daemon/world.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { GithubTracker } from '../../../src/trackers/github/open-github-tracker.ts';
import { eventually } from '../../ports/forge/eventually.ts';

const SECRET = 'a secret';
const SHA = '0123456789abcdef0123456789abcdef01234567';
const repository = { name: 'app', owner: { login: 'acme' }, full_name: 'acme/app', default_branch: 'main' };
const open: OpenReceivers[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receivers) => receivers.close()));
});

test.each([
  ['an issue of the board', 'issues', { action: 'edited', issue: { number: 7 } }],
  ['the pull request of an issue', 'pull_request', { action: 'edited', pull_request: pullRequest(41) }],
  ['a branch of an issue', 'push', { ref: 'refs/heads/acme-app-7' }],
])('%s wakes that issue alone, and tells its forge', async (_, event, body) => {
  const { deliver, woken, told, noted } = await receiving();
  await deliver(event, { ...body, repository, sender: { login: 'ada' } });
  expect(await eventually('a wake-up', () => woken.at(0))).toBe('acme-app-7');
  expect([woken, told]).toEqual([['acme-app-7'], ['acme-app-7']]);
  if (event === 'issues') expect(await eventually('a notice', () => noted.at(0))).toContain('#7');
});

test('what belongs to no issue that was seen means a look at everything', async () => {
  const { deliver, woken, told } = await receiving();
  await deliver('issues', { action: 'opened', issue: { number: 99 }, repository, sender: { login: 'ada' } });
  expect(await eventually('a wake-up', () => woken.at(0))).toBe('everything');
  expect(told).toEqual([]);
});

test('the same delivery again wakes nobody, also after a restart', async () => {
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
  ['an issue of the board wakes that one alone', TRACKED, 'acme-app-7', ['acme-app-7']],
  ['one that nobody knows wakes everything', TRACKED.replace('2', '3'), 'everything', []],
])('of Linear, %s', async (_, id, wakes, tells) => {
  const { options, woken, told, noted } = await parts(folder(), undefined, 'env:SECRET');
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
  expect([woken, told]).toEqual([[wakes], tells]);
  expect(await eventually('a notice', () => noted.at(0))).toContain('ENG-7');
});

test('without a secret there is nobody to receive', async () => {
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
  const { options, woken, told, noted } = await parts(state, 'env:SECRET');
  const receivers = await openReceivers(options);
  open.push(receivers);
  const deliver = async (event: string, body: object, id: string = crypto.randomUUID()) => {
    const text = JSON.stringify(body);
    const headers: Record<string, string> = {
      ...{ 'x-github-event': event, 'x-github-delivery': id },
      'x-hub-signature-256': await sign(SECRET, text),
    };
    return receivers.byService.github?.receive({
      header: (name) => headers[name],
      body: async () => new TextEncoder().encode(text),
    });
  };
  return { deliver, woken, told, noted };
}

async function parts(state: string, github: string | undefined, linear?: string) {
  const woken: string[] = [];
  const told: string[] = [];
  const noted: string[] = [];
  const view = new BoardView();
  const seen = { issue: { id: 'acme-app-7' }, pullRequest: { number: 41, headSha: SHA }, status: 'Testing' };
  view.replaceAll([seen as unknown as SeenIssue]);
  const world = {
    ...{ view, clock: systemClock, troubles: new Troubles(systemClock, () => undefined) },
    wake: (issue?: string) => void woken.push(issue ?? 'everything'),
  } as unknown as World;
  const tracker = {
    idOf: (hint: object) => ('number' in hint && hint.number === 7 ? 'acme-app-7' : undefined),
  } as unknown as GithubTracker;
  const config = { credentials: { webhooks: { github, linear } } } as unknown as LegionConfig;
  const options = {
    ...{ config: () => config, environment: { SECRET }, state, world, tracker, accounts: ['legion'] },
    linear: { idOf: (tracked: string) => (tracked === TRACKED ? 'acme-app-7' : undefined) },
    tell: (branch: string) => void told.push(branch),
    note: (_: object, message: string) => void noted.push(message),
  };
  return { options, woken, told, noted };
}

function folder(): string {
  return mkdtempSync(join(inject('scratch'), 'receivers-'));
}
