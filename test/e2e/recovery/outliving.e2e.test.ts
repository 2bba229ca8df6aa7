import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Explanation, WorkerView } from '../../../src/protocol/operator.ts';
import { giveWord, waitForWord } from '../../daemon/life/signs.ts';
import { processesOf } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { doubleDispatches, reportsOf } from '../support/attempts.ts';
import { type Life, stage } from '../support/legion.ts';

const begin = stage();

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';

function untilAtWork(life: Life, id: string): Promise<WorkerView | undefined> {
  return until(
    async () => (await life.door.get<WorkerView[]>('/workers')).find((worker) => worker.issue === id),
    (worker) => worker?.status === 'executing',
    100_000,
  );
}

test('what a worker reports while no daemon is there waits in its outbox and counts once, at the next start', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [
      {
        steps: [
          { say: 'thinking' },
          waitForWord('alone'),
          { comment: { text: 'I am nearly there.' } },
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  const id = await life.add({ status: 'Todo' });
  await untilAtWork(life, id);
  await life.stop();
  giveWord(life.legion, 'alone');
  await until(
    async () => processesOf(life.legion.state),
    (left) => left.length === 0,
    100_000,
  );
  const outbox = join(life.legion.state, 'outbox', `${id.toLowerCase()}-plan`, '1');
  expect(readdirSync(outbox).filter((name) => name.endsWith('.json'))).toHaveLength(3);

  await life.start();
  await life.untilStatus(id, 'In Progress');
  const { workers, comments } = await life.detail(id);
  expect(workers.map(({ mode, attempt, status, crashes }) => [mode, attempt, status, crashes])).toEqual([
    ['plan', 1, 'finished', 0],
  ]);
  expect(comments.map(({ text }) => text)).toEqual([expect.stringContaining('I am nearly there.')]);
  expect(reportsOf(await life.door.events())).toEqual(['plan 1']);
  expect(readdirSync(outbox).filter((name) => name.endsWith('.json'))).toEqual([]);
});

/** Ends the daemon, lets its waiting worker end, and starts the next daemon. */
async function restartAfterEnd(life: Life): Promise<void> {
  await life.stop();
  giveWord(life.legion, 'alone');
  await until(
    async () => processesOf(life.legion.state),
    (left) => left.length === 0,
    100_000,
  );
  await life.start();
}

test('shows at once that a worker exited while no daemon ran', async () => {
  const life = await begin({
    yaml: 'limits: { per_mode: { implement: 0 } }\nhealth: { grace: 10m }\n',
    scenario: [{ steps: [{ say: 'thinking' }, waitForWord('alone')] }],
  });
  const id = await life.add({ status: 'Todo' });
  await untilAtWork(life, id);
  await restartAfterEnd(life);

  const { state, workers } = await until(
    () => life.door.get<Explanation>(`/issues/${id}/explain`),
    (seen) => seen.state.hasWorkerExited === true && seen.workers[0]?.hasExited === true,
    20_000,
  );
  expect(state.says).toContain('The process of the plan worker exited with 0 without an accepted report');
  expect(state.until.what).toBe('Legion has judged how the worker ended');
  expect(workers[0]?.crashes).toBe(0);
  expect(workers[0]?.health.why).toContain('Its process exited with 0.');
});

test('continues a worker whose report was refused after it had exited, and counts no crash', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [
      {
        attempt: 1,
        steps: [{ say: 'thinking' }, waitForWord('alone'), { done: 'planned' }],
      },
      { steps: [{ handoff: { summary: 'the plan' } }, { done: 'planned again' }] },
    ],
  });
  const id = await life.add({ status: 'Todo' });
  await untilAtWork(life, id);
  await restartAfterEnd(life);

  await life.untilStatus(id, 'In Progress');
  const { workers } = await life.detail(id);
  expect(workers).toMatchObject([{ mode: 'plan', attempt: 2, status: 'finished', crashes: 0 }]);
  expect(life.prompts(id, 'plan')[1]).toContain('Why the last report was not accepted');
  const events = await life.door.events();
  expect(events.filter(({ type }) => type === 'attempt.crashed')).toEqual([]);
});

test('a worker outlives a killed daemon, and the next one adopts it', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [
      {
        steps: [
          { say: 'thinking' },
          waitForWord('adopted'),
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  await life.stop();
  await life.startApart();
  const id = await life.add({ status: 'Todo' });
  const before = await untilAtWork(life, id);
  await life.kill();
  expect(processesOf(life.legion.state)).toContain(before?.pid);

  await life.startApart();
  const after = await untilAtWork(life, id);
  expect([after?.attempt, after?.pid]).toEqual([1, before?.pid]);
  giveWord(life.legion, 'adopted');
  await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
  expect(events.filter(({ type }) => type === 'leader.elected')).toHaveLength(3);
  expect(reportsOf(events)).toEqual(['plan 1']);
  expect(doubleDispatches(events)).toEqual([]);
});
