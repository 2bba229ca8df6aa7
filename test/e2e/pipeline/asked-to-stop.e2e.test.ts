/** Tests how a worker is asked to stop: it agrees, asks for more time, or ignores the request. */
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import type { ApiClient } from '../../support/http-client.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();
const WAIT_MS = 60_000;

async function untilWorker(client: ApiClient, wanted: (worker: WorkerView) => boolean): Promise<WorkerView> {
  const workers = await until(
    () => client.get<WorkerView[]>('/workers'),
    (all) => all.some(wanted),
    WAIT_MS,
  );
  return workers.find(wanted) as WorkerView;
}

async function startStop(health: string, steps: readonly object[]) {
  const scenario = [{ steps: [{ say: 'thinking' }, ...steps] }];
  const daemon = await startDaemon({ yaml: `health: ${health}\n`, scenario });
  const issue = await daemon.add({ status: 'Todo' });
  const { id } = await untilWorker(daemon.client, ({ status }) => status === 'executing');
  await daemon.client.request('DELETE', `/workers/${id}?by=ada`);
  return { ...daemon, issue, id };
}

const hasExited = ({ exit }: WorkerView) => exit !== undefined;

test('a worker that agrees to stop ends by itself long before the grace period is over', async () => {
  const { client } = await startStop('{ stop_grace: 1h }', [{ await_stop: true }]);
  expect(await untilWorker(client, hasExited)).toMatchObject({
    status: 'stopped',
    exit: { code: 0, signal: null },
    crashes: 0,
  });
});

test('a worker that is still working gets more time, and ends by itself', async () => {
  const { client, issue } = await startStop('{ stop_grace: 2s, stop_working: 1h }', [
    { await_stop: { working: 'the tests are running', for: '4s' } },
  ]);
  const working = await untilWorker(client, ({ stopping }) => stopping?.working !== undefined);
  expect(working.stopping).toMatchObject({ working: 'the tests are running' });
  expect((working.stopping?.graceEndsAt ?? 0) - (working.stopping?.since ?? 0)).toBe(3_602_000);
  const { state, history } = await client.get<IssueExplanation>(`/issues/${issue}/explain`);
  expect(state.says).toContain('it is still working: “the tests are running”');
  expect(history.map(({ what }) => what).join('\n')).toContain(
    'asked for more time before it stops: the tests are running',
  );
  expect(await untilWorker(client, hasExited)).toMatchObject({ exit: { code: 0, signal: null } });
});

test('a worker that ignores the request gets SIGTERM after the grace period', async () => {
  const { client } = await startStop('{ stop_grace: 1s }', [{ think: '10m' }]);
  expect(await untilWorker(client, hasExited)).toMatchObject({ status: 'stopped', crashes: 0 });
  const types = (await client.events()).map(({ type }) => type);
  expect(types).not.toContain('attempt.stop_extended');
});
