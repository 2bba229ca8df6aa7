/** A journal of an earlier version may hold events and orders that nothing writes any more. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { fold } from '../../../src/core/state/evolve.ts';
import { emptySwarm } from '../../../src/core/state/state.ts';
import { lifecycleOf } from '../../../src/domain/lifecycle.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { readAll, STAMP } from '../../ports/journal/events.ts';
import { useFolder } from './folder.ts';

const folder = useFolder();
const life = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

test('is read, and what nothing writes any more changes nothing', async () => {
  const path = join(folder(), 'j.db');
  const before = await openSqliteJournal(path);
  const dispatched = { type: 'attempt.dispatched', ...life, session: 's', version: 0, host: 'h' } as const;
  await before.append(
    [
      dispatched,
      { type: 'attempt.waiting', ...life, wait: 1, for: 'user' },
      { type: 'labels.written', issue: 'A-1', revision: 1 },
      { type: 'labels.written', issue: 'A-1', revision: 2 },
    ],
    0,
    STAMP,
  );
  await before.close();
  write(path, 3, { type: 'attempt.woken', ...life, wait: 1 });
  write(path, 4, { type: 'intent.opened', intent: 1, command: { kind: 'probe', ...life, how: 'ask' } });

  const journal = await openSqliteJournal(path);
  await journal.append(
    [{ type: 'intent.opened', intent: 2, command: { kind: 'clean_workspace', issue: 'A-1' } }],
    4,
    STAMP,
  );
  const swarm = fold(emptySwarm(), await readAll(journal));
  await journal.close();
  expect(swarm).toMatchObject({ version: 5, ignored: 1, lastIntent: 2 });
  const planner = swarm.workers.get('a-1-plan');
  expect(planner && lifecycleOf(planner.facts)).toBe('waiting-user');
  // The order keeps its number, or the numbers of later ones would not be taken in.
  expect([...swarm.intents.values()].map(({ command }) => command.kind)).toEqual([
    'reread_forge',
    'clean_workspace',
  ]);
});

function write(
  path: string,
  seq: number,
  body: Readonly<Record<string, unknown>> & { readonly type: string },
): void {
  const db = new DatabaseSync(path);
  db.prepare('UPDATE events SET type = ?, body = ? WHERE seq = ?').run(body.type, JSON.stringify(body), seq);
  db.close();
}
