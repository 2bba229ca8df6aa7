import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

const PLANNING = `limits: { per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, after_step: 1s }
`;

/** The journal alone is put back: what workers left behind stays, as after a restored backup. */
const JOURNAL = ['journal.db', 'journal.db-wal', 'journal.db-shm'];

test('a report whose journal was lost is found by its done flag, judged by its proof, and not asked for again', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [{ steps: [{ handoff: 'the plan' }, { think: '3s' }, { done: 'planned' }, { think: '1s' }] }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilEvents('the plan is written', (events) =>
    events.some(({ type }) => type === 'handoff.written'),
  );
  await life.stop();
  const { state } = life.legion;
  const kept = join(life.legion.folder, 'backup');
  for (const name of JOURNAL)
    if (existsSync(join(state, name))) copyFileSync(join(state, name), `${kept}-${name}`);
  await life.start();
  const flag = join(state, 'outbox', `${id.toLowerCase()}-plan`, '1', 'done.flag');
  await until(async () => existsSync(flag), Boolean, 60_000);
  await life.stop();
  await until(
    async () => processesOf(state),
    (left) => left.length === 0,
    60_000,
  );
  for (const name of JOURNAL) {
    rmSync(join(state, name), { force: true });
    if (existsSync(`${kept}-${name}`)) copyFileSync(`${kept}-${name}`, join(state, name));
  }

  await life.start();
  const events = await life.untilEvents('its report counts', (seen) =>
    seen.some(({ type }) => type === 'attempt.report_accepted'),
  );
  const reports = events.filter((event) => event.type === 'attempt.reported');
  expect(reports).toMatchObject([
    { attempt: 1, outcome: 'done', summary: expect.stringContaining('done flag') },
  ]);
  expect(events.filter(({ type }) => type === 'attempt.dispatched')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'attempt.crashed')).toHaveLength(0);
});
