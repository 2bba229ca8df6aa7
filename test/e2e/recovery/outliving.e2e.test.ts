import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { listProcesses } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { findDoubleDispatches, listReports } from '../support/attempts.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { sendSignal, waitForSignal } from '../support/worker-signals.ts';

const startDaemon = setUpDaemons();

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';

function untilExecuting(daemon: TestDaemon, id: string): Promise<WorkerView | undefined> {
  return until(
    async () => (await daemon.client.get<WorkerView[]>('/workers')).find((worker) => worker.issue === id),
    (worker) => worker?.status === 'executing',
    100_000,
  );
}

test('a report made while no daemon is running waits in the outbox, and the next daemon accepts it exactly once', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [
      {
        steps: [
          { say: 'thinking' },
          waitForSignal('alone'),
          { comment: { text: 'I am nearly there.' } },
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  const id = await daemon.add({ status: 'Todo' });
  await untilExecuting(daemon, id);
  await daemon.stop();
  sendSignal(daemon.legion, 'alone');
  await until(
    async () => listProcesses(daemon.legion.state),
    (left) => left.length === 0,
    100_000,
  );
  const outbox = join(daemon.legion.state, 'outbox', `${id.toLowerCase()}-plan`, '1');
  expect(readdirSync(outbox).filter((name) => name.endsWith('.json'))).toHaveLength(3);

  await daemon.start();
  await daemon.untilStatus(id, 'In Progress');
  const { workers, comments } = await daemon.detail(id);
  expect(workers.map(({ mode, attempt, status, crashes }) => [mode, attempt, status, crashes])).toEqual([
    ['plan', 1, 'finished', 0],
  ]);
  expect(comments.map(({ text }) => text)).toEqual([
    expect.stringContaining('I am nearly there.'),
    expect.stringMatching(/^\*\*Plan\*\*/),
  ]);
  expect(listReports(await daemon.client.events())).toEqual(['plan 1']);
  expect(readdirSync(outbox).filter((name) => name.endsWith('.json'))).toEqual([]);
});

/** Stops the daemon, lets its waiting worker exit, and starts the next daemon. */
async function restartAfterEnd(daemon: TestDaemon): Promise<void> {
  await daemon.stop();
  sendSignal(daemon.legion, 'alone');
  await until(
    async () => listProcesses(daemon.legion.state),
    (left) => left.length === 0,
    100_000,
  );
  await daemon.start();
}

test('shows immediately that a worker exited while no daemon was running', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { implement: 0 } }\nhealth: { grace: 10m }\n',
    scenario: [{ steps: [{ say: 'thinking' }, waitForSignal('alone')] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await untilExecuting(daemon, id);
  await restartAfterEnd(daemon);

  const { state, workers } = await until(
    () => daemon.client.get<IssueExplanation>(`/issues/${id}/explain`),
    (seen) => seen.state.hasWorkerExited === true && seen.workers[0]?.hasExited === true,
    20_000,
  );
  expect(state.says).toContain(
    'The process of the plan worker exited with code 0 without an accepted report',
  );
  expect(state.until.what).toBe('Legion has judged how the worker exited');
  expect(workers[0]?.crashes).toBe(0);
  expect(workers[0]?.health.why).toContain('Its process exited with code 0.');
});

test('if a report is refused after its worker has exited, restarts the worker with the reason and records no crash', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [
      {
        attempt: 1,
        steps: [{ say: 'thinking' }, waitForSignal('alone'), { done: 'planned' }],
      },
      { steps: [{ handoff: { summary: 'the plan' } }, { done: 'planned again' }] },
    ],
  });
  const id = await daemon.add({ status: 'Todo' });
  await untilExecuting(daemon, id);
  await restartAfterEnd(daemon);

  await daemon.untilStatus(id, 'In Progress');
  const { workers } = await daemon.detail(id);
  expect(workers).toMatchObject([{ mode: 'plan', attempt: 2, status: 'finished', crashes: 0 }]);
  expect(daemon.prompts(id, 'plan')[1]).toContain('Why your last report was not accepted');
  const events = await daemon.client.events();
  expect(events.filter(({ type }) => type === 'attempt.crashed')).toEqual([]);
});

test('a worker outlives a killed daemon, and the next daemon adopts it', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [
      {
        steps: [
          { say: 'thinking' },
          waitForSignal('adopted'),
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  await daemon.stop();
  await daemon.startProcess();
  const id = await daemon.add({ status: 'Todo' });
  const before = await untilExecuting(daemon, id);
  await daemon.kill();
  expect(listProcesses(daemon.legion.state)).toContain(before?.pid);

  await daemon.startProcess();
  const after = await untilExecuting(daemon, id);
  expect([after?.attempt, after?.pid]).toEqual([1, before?.pid]);
  sendSignal(daemon.legion, 'adopted');
  await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.client.events();
  expect(events.filter(({ type }) => type === 'leader.elected')).toHaveLength(3);
  expect(listReports(events)).toEqual(['plan 1']);
  expect(findDoubleDispatches(events)).toEqual([]);
});
