import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Explanation, HealthView } from '../../../src/protocol/operator.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

/** As a person with the `sqlite3` tool, or a failing disk, leaves an issue. */
const POISONS: Readonly<Record<string, string>> = {
  'a column nobody knows': `UPDATE issues SET status = 'Nonsense' WHERE id = $`,
  'a column that is no text': `UPDATE issues SET status = CAST(x'00ff' AS TEXT) WHERE id = $`,
  'labels that are garbage': `INSERT INTO labels VALUES ($, CAST(x'00ff0a' AS TEXT)), ($, ''), ($, '["]}'),
    ($, printf('%.100000c', 'x')), ($, '__proto__')`,
  'a title and a body that are no text': `UPDATE issues SET title = CAST(x'00ff0a' AS TEXT),
    body = CAST(x'00ffc328' AS TEXT) WHERE id = $`,
  'itself as its blocker': 'INSERT INTO blockers VALUES ($, $)',
  'a parent that is not there': `UPDATE issues SET parent = 'NOPE-7' WHERE id = $`,
  'an id that is none': `DELETE FROM labels WHERE issue = $; UPDATE issues SET id = '../../etc passwd' WHERE id = $`,
  'no id': `DELETE FROM labels WHERE issue = $; UPDATE issues SET id = '' WHERE id = $`,
};

test('an issue that cannot be read as one stops nobody else, and is named', async () => {
  const life = await begin({ yaml: 'auto_advance: false\nlimits: { per_mode: { implement: 0 } }\n' });
  const ids = new Map<string, string>();
  for (const poison of Object.keys(POISONS)) ids.set(poison, await life.add({ status: 'Todo' }));
  const innocent = await life.add({ status: 'Todo' });
  await life.stop();
  const db = new DatabaseSync(join(life.legion.state, 'board.db'));
  db.exec('PRAGMA foreign_keys = OFF');
  for (const [poison, sql] of Object.entries(POISONS)) db.exec(sql.replaceAll('$', `'${ids.get(poison)}'`));
  db.close();
  life.legion.reconfigure('limits: { per_mode: { implement: 0 } }\n');
  await life.start();

  // Nobody has named it: only a look at the whole board finds it.
  await life.untilStatus(innocent, 'In Progress');
  for (const poison of ['labels that are garbage', 'a parent that is not there'])
    await life.untilStatus(ids.get(poison) ?? '', 'In Progress');
  const why = async (poison: string) => {
    const { state } = await life.door.get<Explanation>(`/issues/${ids.get(poison)}/explain`);
    return [state.suggestedAction, state.reason];
  };
  expect(await why('a column nobody knows')).toEqual(['skip', 'unknown_status']);
  expect(await why('a column that is no text')).toEqual(['skip', 'unknown_status']);
  expect(await why('itself as its blocker')).toEqual(['skip', 'blocked']);
  const { troubles } = await life.door.get<HealthView>('/health');
  expect(troubles.map(({ code, message }) => [code, message])).toEqual([
    ['tracker.corrupt', expect.stringMatching(/"\.\.\/\.\.\/etc passwd".*""/)],
  ]);
});
