import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { HealthView } from '../../../src/protocol/status.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

/** Corruption as it could be caused by a person with the `sqlite3` tool or by a failing disk. */
const POISONS: Readonly<Record<string, string>> = {
  'an unknown column': `UPDATE issues SET status = 'Nonsense' WHERE id = $`,
  'a column that is not text': `UPDATE issues SET status = CAST(x'00ff' AS TEXT) WHERE id = $`,
  'garbage labels': `INSERT INTO labels VALUES ($, CAST(x'00ff0a' AS TEXT)), ($, ''), ($, '["]}'),
    ($, printf('%.100000c', 'x')), ($, '__proto__')`,
  'a title and a body that are not text': `UPDATE issues SET title = CAST(x'00ff0a' AS TEXT),
    body = CAST(x'00ffc328' AS TEXT) WHERE id = $`,
  'itself as its blocker': 'INSERT INTO blockers VALUES ($, $)',
  'a missing parent': `UPDATE issues SET parent = 'NOPE-7' WHERE id = $`,
  'an invalid id': `DELETE FROM labels WHERE issue = $; UPDATE issues SET id = '../../etc passwd' WHERE id = $`,
  'no id': `DELETE FROM labels WHERE issue = $; UPDATE issues SET id = '' WHERE id = $`,
};

test('an unreadable issue is reported by its id and does not block others', async () => {
  const daemon = await startDaemon({ yaml: 'auto_advance: false\nlimits: { per_mode: { implement: 0 } }\n' });
  const ids = new Map<string, string>();
  for (const poison of Object.keys(POISONS)) ids.set(poison, await daemon.add({ status: 'Todo' }));
  const innocent = await daemon.add({ status: 'Todo' });
  await daemon.stop();
  const db = new DatabaseSync(join(daemon.legion.state, 'board.db'));
  db.exec('PRAGMA foreign_keys = OFF');
  for (const [poison, sql] of Object.entries(POISONS)) db.exec(sql.replaceAll('$', `'${ids.get(poison)}'`));
  db.close();
  daemon.legion.reconfigure('limits: { per_mode: { implement: 0 } }\n');
  await daemon.start();

  // Only a pass over the whole board finds this issue, because nothing refers to it.
  await daemon.untilStatus(innocent, 'In Progress');
  for (const poison of ['garbage labels', 'a missing parent'])
    await daemon.untilStatus(ids.get(poison) ?? '', 'In Progress');
  const why = async (poison: string) => {
    const { state } = await daemon.client.get<IssueExplanation>(`/issues/${ids.get(poison)}/explain`);
    return [state.suggestedAction, state.reason];
  };
  expect(await why('an unknown column')).toEqual(['skip', 'unknown_status']);
  expect(await why('a column that is not text')).toEqual(['skip', 'unknown_status']);
  expect(await why('itself as its blocker')).toEqual(['skip', 'blocked']);
  const { troubles } = await daemon.client.get<HealthView>('/health');
  expect(troubles.map(({ code, message }) => [code, message])).toEqual([
    ['tracker.corrupt', expect.stringMatching(/"\.\.\/\.\.\/etc passwd".*""/)],
  ]);
});
