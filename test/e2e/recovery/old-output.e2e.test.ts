import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../../support/running-daemon.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

const DAY_MS = 24 * 60 * 60_000;
/** A start looks at the whole board at once, and sweeps afterwards. */
const SWEPT_WITHIN_MS = 1_500;

test('keeps what workers wrote and the record of a finished issue for two weeks', async () => {
  const life = await begin({ yaml: 'limits: { per_mode: { implement: 0 } }\n' });
  const [over, open] = [await life.add({ status: 'Todo' }), await life.add({ status: 'Todo' })];
  const folders = [over, open].map((id) =>
    join(life.legion.state, 'host/attempts', `${id.toLowerCase()}-plan`),
  );
  for (const id of [over, open]) await life.untilStatus(id, 'In Progress');
  const exits = (events: readonly { type: string }[]) =>
    events.filter(({ type }) => type === 'attempt.exited');
  await life.untilEvents('both have ended', (events) => exits(events).length === 2);
  await life.door.request('DELETE', `/issues/${over}`);

  /** As if all of it had been so many days ago. */
  const age = async (days: number) => {
    await life.stop();
    const db = new DatabaseSync(join(life.legion.state, 'journal.db'));
    db.exec(`DELETE FROM snapshots; UPDATE events SET at = at - ${days * DAY_MS}`);
    db.close();
    await life.start();
  };
  await age(13);
  await sleep(SWEPT_WITHIN_MS);
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  await age(2);
  await until(
    async () => existsSync(folders[0] ?? ''),
    (isThere) => !isThere,
    60_000,
  );
  expect(existsSync(folders[1] ?? '')).toBe(true);
  const pruned = await life.untilEvents('the issue is pruned', (events) =>
    events.some(({ type }) => type === 'issue.pruned'),
  );
  expect(pruned.filter(({ type }) => type === 'issue.pruned')).toMatchObject([{ issue: over }]);
});
