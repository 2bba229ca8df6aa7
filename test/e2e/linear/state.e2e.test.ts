/** A real daemon on a simulated Linear: what Linear answers, posted as it is, and what its webhooks lead to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import { STATUSES, type Status } from '../../../src/core/model/status.ts';
import { runDaemon } from '../../../src/daemon/main.ts';
import type { Collected } from '../../../src/protocol/board-state.ts';
import type { DaemonFile } from '../../../src/protocol/daemon-file.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { type Door, openDoor } from '../../support/http-client.ts';
import { type TestLegion, testLegion, until } from '../../support/running-daemon.ts';

const SECRET = 'a secret of webhooks';
const TYPES: Readonly<Partial<Record<Status, 'backlog' | 'unstarted' | 'completed'>>> = {
  ...{ Icebox: 'backlog', Backlog: 'backlog', Triage: 'backlog', Todo: 'unstarted', Done: 'completed' },
};

let linear: LinearSimulator;
let legion: TestLegion;
let daemon: Door;
let stop: () => Promise<unknown>;
let key: string;

beforeAll(async () => {
  linear = await startLinear();
  linear.people.user('ada');
  key = linear.people.apiKey('ada');
  const states = STATUSES.map((name) => ({ name, type: TYPES[name] ?? ('started' as const) }));
  const team = linear.people.team({ key: 'ENG', name: 'Engineering', states });
  const there = linear.people.issue('ENG', { creator: 'ada', title: 'There before', state: 'Icebox' });
  // Polls are rare, so that what is found soon was found by a webhook.
  legion = await testLegion({
    environment: { LINEAR_API_KEY: key, HOOKS: SECRET },
    yaml: `legion: ${team}
backend: linear
linear: { url: "${linear.url}" }
credentials: { webhooks: { linear: env:HOOKS } }
auto_advance: false
polling: { interval: 600s }
`,
  });
  const state = join(legion.folder, 'state/legion/legions', team);
  const ending = new AbortController();
  const ready = Promise.withResolvers<DaemonFile>();
  const ended = runDaemon({
    file: { path: join(legion.repository, 'legion.yaml'), named: true },
    ...{ flags: [], environment: legion.environment, launcher: [process.execPath, LAUNCHER] },
    ...{ version: '0.0.0-test', signal: ending.signal, onReady: ready.resolve, log: () => undefined },
  });
  ended.catch(ready.reject);
  stop = () => {
    ending.abort();
    return ended;
  };
  const { url } = await ready.promise;
  daemon = openDoor(url, readFileSync(join(state, 'token'), 'utf8').trim());
  await until(lastSeen, ({ issues }) => there in issues);
  // The daemon reads the board once more after its start; from then on only tests lead to requests.
  await until(
    async () => linear.requests(),
    (requests) => requests.some(({ name }) => name === 'BoardChanges'),
  );
});
afterAll(async () => {
  await stop?.();
  await linear.close();
  legion.dispose();
});
beforeEach(() => linear.faults.webhooks(undefined));

/** As a controller asks Linear itself. */
async function answered(query: string): Promise<unknown> {
  const response = await fetch(`${linear.url}/graphql`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

const lastSeen = () => daemon.post<Collected>('/state/fetch-and-collect', { lastSeen: true });

test('what Linear answers is posted as it is and says what is due, at no request of the daemon’s', async () => {
  const first = linear.people.issue('ENG', { creator: 'ada', title: 'First', state: 'Todo' });
  const second = linear.people.issue('ENG', { creator: 'ada', title: 'Second', state: 'Todo' });
  linear.people.block(second, first);
  const answer = await answered(
    `query Posted { issues(first: 20) { nodes { id identifier title description priority createdAt state { name type }
      labels { nodes { name } } attachments { nodes { url } }
      inverseRelations { nodes { type issue { identifier state { name type } } } } } } }`,
  );
  expect(answer).not.toHaveProperty('errors');
  const asked = linear.requests().length;
  const { issues } = await daemon.post<Collected>('/state/collect', answer);
  expect(linear.requests()).toHaveLength(asked);
  expect(issues).toMatchObject({
    [first]: { status: 'Todo', source: { kind: 'linear', identifier: first }, isBlocked: false },
    [second]: { status: 'Todo', reason: 'blocked', blockedByIds: [first] },
  });
  const refused = await daemon.request('POST', '/state/collect', {
    data: { issues: { nodes: [{ title: 5 }] } },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: { code: 'input.invalid', message: expect.stringContaining('data.issues.nodes[0].title: ') },
    },
  });
});

test('a webhook is believed, and its issue is looked at long before the next poll', async () => {
  linear.faults.webhooks({ url: `${daemon.url}/webhooks/linear`, secret: SECRET, times: 3 });
  const issue = linear.people.issue('ENG', { creator: 'ada', title: 'New', state: 'Todo' });
  await until(lastSeen, ({ issues }) => issues[issue]?.status === 'Todo');
  linear.people.move('ada', issue, 'Backlog');
  await until(lastSeen, ({ issues }) => issues[issue]?.status === 'Backlog');
});

test('one that is old, or signed by somebody else, wakes nobody', async () => {
  const url = `${daemon.url}/webhooks/linear`;
  const issue = linear.people.issue('ENG', { creator: 'ada', title: 'Unheard', state: 'Todo' });
  for (const target of [
    { url, secret: SECRET, ageMs: 61_000 },
    { url, secret: 'guessed' },
  ]) {
    linear.faults.webhooks(target);
    linear.people.edit('ada', issue, { title: 'Unheard of' });
  }
  // Heard, and behind the others: by then they were refused.
  linear.faults.webhooks({ url, secret: SECRET });
  const asked = linear.requests().length;
  const heard = linear.people.issue('ENG', { creator: 'ada', title: 'Heard', state: 'Todo' });
  await until(lastSeen, ({ issues }) => heard in issues);
  expect(linear.requests().length - asked).toBeLessThanOrEqual(2);
});
