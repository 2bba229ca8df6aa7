/** Tests a halt while git is performing a merge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HaltAnswer } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { git } from '../../ports/forge/git.ts';
import { listProcesses } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { HELD_FILES, installMergeHold } from '../support/merge-hold.ts';
import { SUBMIT_WORK } from '../support/steps.ts';
import { sendSignal, waitForSignal } from '../support/worker-signals.ts';

const startDaemon = setUpDaemons();

const SCENARIO = [
  {
    phase: 'implement',
    attempt: 1,
    steps: [{ write: { path: 'greeting.held', content: 'hello\n' } }, ...SUBMIT_WORK],
  },
  { phase: 'merge', steps: [waitForSignal('merge'), { merge: true }, { done: 'merged' }] },
];

test('a halt during a merge lets git complete the merge, then stops the merge worker; no work is lost', async () => {
  const daemon = await startDaemon({ files: { ...AUTO_MERGE_FILES, ...HELD_FILES }, scenario: SCENARIO });
  const { client, legion } = daemon;
  const merges = await installMergeHold(daemon);
  const id = await daemon.add({ status: 'In Progress' });
  const merger = `${id.toLowerCase()}-merge`;
  await untilMerger(daemon, 'executing');
  const before = await git(legion.repository, 'rev-parse', 'main');
  merges.hold();
  sendSignal(legion, 'merge');
  await merges.untilHeld();
  // The base has moved, but the person's files are not yet updated, and the merge is not yet in the
  // journal.
  expect(await git(legion.repository, 'rev-parse', 'main')).not.toBe(before);
  expect((await client.events()).map(({ type }) => type)).not.toContain('merge.landed');

  const halted = await client.post<HaltAnswer>('/halt', { by: 'ada', why: 'stop' });
  expect(halted).toMatchObject({ merging: [merger], stopped: [] });
  expect(halted.says).toContain('A merge has begun and will complete first');
  expect((await mergerOf(daemon))?.status).toBe('executing');
  expect(listProcesses(legion.state).length).toBeGreaterThan(0);

  merges.release();
  const stopped = await untilMerger(daemon, 'stopped');
  expect(stopped).toMatchObject({ attempt: 1, crashes: 0 });
  const types = (await client.events()).flatMap((event) =>
    'issue' in event && event.issue === id ? [event.type] : [],
  );
  expect(types.indexOf('merge.landed')).toBeGreaterThan(types.indexOf('merge.begun'));
  expect(types.indexOf('attempt.stopped')).toBeGreaterThan(types.indexOf('merge.landed'));
  expect(types).not.toContain('attempt.crashed');
  await until(
    async () => listProcesses(legion.state),
    (left) => left.length === 0,
    60_000,
  );
  expect(readFileSync(join(legion.repository, 'greeting.held'), 'utf8')).toBe('hello\n');
  expect(await git(legion.repository, 'status', '--porcelain')).toBe('');
  expect((await daemon.issue(id)).status).toBe('Retro');

  await client.post('/resume', { by: 'ada' });
  await daemon.untilStatus(id, 'Done');
  expect(await mergerOf(daemon)).toMatchObject({ attempt: 1 });
});

async function mergerOf({ client }: TestDaemon): Promise<WorkerView | undefined> {
  return (await client.get<WorkerView[]>('/workers')).find(({ mode }) => mode === 'merge');
}

function untilMerger(daemon: TestDaemon, status: WorkerView['status']): Promise<WorkerView | undefined> {
  return until(
    () => mergerOf(daemon),
    (found) => found?.status === status,
    100_000,
  );
}
