import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProcesses } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const PLANNING = `limits: { per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, after_step: 1s }
`;

/**
 * The journal's files. The test restores them as if from a backup, but does not restore the files
 * of the workers.
 */
const JOURNAL = ['journal.db', 'journal.db-wal', 'journal.db-shm'];

test('uses the done flag to find a report that is missing from the journal, accepts the report, and does not start the worker again', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [{ steps: [{ handoff: 'the plan' }, { think: '3s' }, { done: 'planned' }, { think: '1s' }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilEvents('the plan is written', (events) =>
    events.some(({ type }) => type === 'handoff.written'),
  );
  await daemon.stop();
  const { state } = daemon.legion;
  const kept = join(daemon.legion.folder, 'backup');
  for (const name of JOURNAL)
    if (existsSync(join(state, name))) copyFileSync(join(state, name), `${kept}-${name}`);
  await daemon.start();
  const flag = join(state, 'outbox', `${id.toLowerCase()}-plan`, '1', 'done.flag');
  await until(async () => existsSync(flag), Boolean, 60_000);
  await daemon.stop();
  await until(
    async () => listProcesses(state),
    (left) => left.length === 0,
    60_000,
  );
  for (const name of JOURNAL) {
    rmSync(join(state, name), { force: true });
    if (existsSync(`${kept}-${name}`)) copyFileSync(`${kept}-${name}`, join(state, name));
  }

  await daemon.start();
  const events = await daemon.untilEvents('its report counts', (seen) =>
    seen.some(({ type }) => type === 'attempt.report_accepted'),
  );
  const reports = events.filter((event) => event.type === 'attempt.reported');
  expect(reports).toMatchObject([
    { attempt: 1, outcome: 'done', summary: expect.stringContaining('done flag') },
  ]);
  expect(events.filter(({ type }) => type === 'attempt.dispatched')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'attempt.crashed')).toHaveLength(0);
});
