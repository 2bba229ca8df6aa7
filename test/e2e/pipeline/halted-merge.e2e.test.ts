/** A halt that comes while git carries out a merge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import type { HaltAnswer } from '../../../src/protocol/stopping.ts';
import { giveWord, waitForWord } from '../../daemon/life/signs.ts';
import { git } from '../../ports/forge/git.ts';
import { processesOf } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';
import { HELD_FILES, heldMerges } from '../support/merge-hold.ts';
import { HAND_IN } from '../support/steps.ts';

const begin = stage();

const SCENARIO = [
  {
    phase: 'implement',
    attempt: 1,
    steps: [{ write: { path: 'greeting.held', content: 'hello\n' } }, ...HAND_IN],
  },
  { phase: 'merge', steps: [waitForWord('merge'), { merge: true }, { done: 'merged' }] },
];

test('a halt in the middle of a merge lets git complete it, then stops the merger, and nothing is lost', async () => {
  const life = await begin({ files: { ...MERGING, ...HELD_FILES }, scenario: SCENARIO });
  const { door, legion } = life;
  const merges = await heldMerges(life);
  const id = await life.add({ status: 'In Progress' });
  const merger = `${id.toLowerCase()}-merge`;
  await untilMerger(life, 'executing');
  const before = await git(legion.repository, 'rev-parse', 'main');
  merges.hold();
  giveWord(legion, 'merge');
  await merges.untilHeld();
  // The base has moved, the person's files have not, and the journal does not know yet.
  expect(await git(legion.repository, 'rev-parse', 'main')).not.toBe(before);
  expect((await door.events()).map(({ type }) => type)).not.toContain('merge.landed');

  const halted = await door.post<HaltAnswer>('/halt', { by: 'ada', why: 'stop' });
  expect(halted).toMatchObject({ merging: [merger], stopped: [] });
  expect(halted.says).toContain('A merge has begun and completes first');
  expect((await mergerOf(life))?.status).toBe('executing');
  expect(processesOf(legion.state).length).toBeGreaterThan(0);

  merges.release();
  const stopped = await untilMerger(life, 'stopped');
  expect(stopped).toMatchObject({ attempt: 1, crashes: 0 });
  const types = (await door.events()).flatMap((event) =>
    'issue' in event && event.issue === id ? [event.type] : [],
  );
  expect(types.indexOf('merge.landed')).toBeGreaterThan(types.indexOf('merge.begun'));
  expect(types.indexOf('attempt.stopped')).toBeGreaterThan(types.indexOf('merge.landed'));
  expect(types).not.toContain('attempt.crashed');
  await until(
    async () => processesOf(legion.state),
    (left) => left.length === 0,
    60_000,
  );
  expect(readFileSync(join(legion.repository, 'greeting.held'), 'utf8')).toBe('hello\n');
  expect(await git(legion.repository, 'status', '--porcelain')).toBe('');
  expect((await life.issue(id)).status).toBe('Retro');

  await door.post('/resume', { by: 'ada' });
  await life.untilStatus(id, 'Done');
  expect(await mergerOf(life)).toMatchObject({ attempt: 1 });
});

async function mergerOf({ door }: Life): Promise<WorkerView | undefined> {
  return (await door.get<WorkerView[]>('/workers')).find(({ mode }) => mode === 'merge');
}

function untilMerger(life: Life, status: WorkerView['status']): Promise<WorkerView | undefined> {
  return until(
    () => mergerOf(life),
    (found) => found?.status === status,
    100_000,
  );
}
