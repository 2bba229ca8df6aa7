/** Tests how a real daemon on a simulated Linear handles webhooks and posted Linear responses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import { STATUSES, type Status } from '../../../src/core/model/status.ts';
import { runDaemon } from '../../../src/daemon/main.ts';
import type { CollectedBoard } from '../../../src/protocol/board-state.ts';
import type { DaemonFile } from '../../../src/protocol/state-files.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { type ApiClient, openApiClient } from '../../support/http-client.ts';
import { createTestLegion, type TestLegion, until } from '../../support/running-daemon.ts';

const SECRET = 'a secret of webhooks';
const TYPES: Readonly<Partial<Record<Status, 'backlog' | 'unstarted' | 'completed'>>> = {
  Icebox: 'backlog',
  Backlog: 'backlog',
  Triage: 'backlog',
  Todo: 'unstarted',
  Done: 'completed',
};

let linear: LinearSimulator;
let legion: TestLegion;
let daemon: ApiClient;
let stop: () => Promise<unknown>;
let key: string;

beforeAll(async () => {
  linear = await startLinear();
  linear.people.user('ada');
  key = linear.people.apiKey('ada');
  const states = STATUSES.map((name) => ({ name, type: TYPES[name] ?? ('started' as const) }));
  const team = linear.people.team({ key: 'ENG', name: 'Engineering', states });
  const there = linear.people.issue('ENG', { creator: 'ada', title: 'There before', state: 'Icebox' });
  // Polls are rare here, so a quick reaction can only come from a webhook.
  legion = await createTestLegion({
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
    flags: [],
    environment: legion.environment,
    launcher: [process.execPath, LAUNCHER],
    version: '0.0.0-test',
    signal: ending.signal,
    onReady: ready.resolve,
    log: () => undefined,
  });
  ended.catch(ready.reject);
  stop = () => {
    ending.abort();
    return ended;
  };
  const { url } = await ready.promise;
  daemon = openApiClient(url, readFileSync(join(state, 'token'), 'utf8').trim());
  await until(lastSeen, ({ issues }) => there in issues);
  // Waits for the second read of the board after the start. From then on, only tests cause
  // requests.
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

/** Queries Linear as an external controller would. */
async function answered(query: string): Promise<unknown> {
  const response = await fetch(`${linear.url}/graphql`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

const lastSeen = () => daemon.post<CollectedBoard>('/state/fetch-and-collect', { lastSeen: true });

test('given a Linear response in the request body, `/state/collect` returns the state of each issue without a request to Linear', async () => {
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
  const { issues } = await daemon.post<CollectedBoard>('/state/collect', answer);
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

test('when a webhook arrives, reads its issue immediately instead of at the next poll', async () => {
  linear.faults.webhooks({ url: `${daemon.url}/webhooks/linear`, secret: SECRET, times: 3 });
  const issue = linear.people.issue('ENG', { creator: 'ada', title: 'New', state: 'Todo' });
  await until(lastSeen, ({ issues }) => issues[issue]?.status === 'Todo');
  linear.people.move('ada', issue, 'Backlog');
  await until(lastSeen, ({ issues }) => issues[issue]?.status === 'Backlog');
});

test('ignores a webhook that is too old or has a wrong signature', async () => {
  const url = `${daemon.url}/webhooks/linear`;
  const issue = linear.people.issue('ENG', { creator: 'ada', title: 'Unheard', state: 'Todo' });
  for (const target of [
    { url, secret: SECRET, ageMs: 61_000 },
    { url, secret: 'guessed' },
  ]) {
    linear.faults.webhooks(target);
    linear.people.edit('ada', issue, { title: 'Unheard of' });
  }
  // Sends a valid webhook afterwards. Once it is processed, the earlier webhooks must have been
  // rejected.
  linear.faults.webhooks({ url, secret: SECRET });
  const asked = linear.requests().length;
  const heard = linear.people.issue('ENG', { creator: 'ada', title: 'Heard', state: 'Todo' });
  await until(lastSeen, ({ issues }) => heard in issues);
  expect(linear.requests().length - asked).toBeLessThanOrEqual(2);
});
