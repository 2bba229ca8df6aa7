import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const DAY_MS = 24 * 60 * 60_000;
/** Time that a starting daemon needs to read the whole board and then clean up. */
const SWEPT_WITHIN_MS = 1_500;

test('keeps the output and the record of a finished issue for two weeks', async () => {
  const daemon = await startDaemon({ yaml: 'limits: { per_mode: { implement: 0 } }\n' });
  const [over, open] = [await daemon.add({ status: 'Todo' }), await daemon.add({ status: 'Todo' })];
  const folders = [over, open].map((id) =>
    join(daemon.legion.state, 'host/attempts', `${id.toLowerCase()}-plan`),
  );
  for (const id of [over, open]) await daemon.untilStatus(id, 'In Progress');
  const exits = (events: readonly { type: string }[]) =>
    events.filter(({ type }) => type === 'attempt.exited');
  await daemon.untilEvents('both have ended', (events) => exits(events).length === 2);
  await daemon.client.request('DELETE', `/issues/${over}`);

  /** Ages the journal and all files by this many days. */
  const age = async (days: number) => {
    await daemon.stop();
    const db = new DatabaseSync(join(daemon.legion.state, 'journal.db'));
    db.exec(`DELETE FROM snapshots; UPDATE events SET at = at - ${days * DAY_MS}`);
    db.close();
    await daemon.start();
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
  const pruned = await daemon.untilEvents('the issue is pruned', (events) =>
    events.some(({ type }) => type === 'issue.pruned'),
  );
  expect(pruned.filter(({ type }) => type === 'issue.pruned')).toMatchObject([{ issue: over }]);
});
