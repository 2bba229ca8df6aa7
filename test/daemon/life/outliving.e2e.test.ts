import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { processesOf } from '../end-workers.ts';
import { until } from '../running.ts';
import { doubleDispatches, reportsOf } from './places.ts';
import { giveWord, waitForWord } from './signs.ts';
import { type Life, stage } from './stage.ts';

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
