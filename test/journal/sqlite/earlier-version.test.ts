/**
 * Tests a journal of an earlier version. It may contain types of events and commands that the
 * current version no longer writes.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { foldEvents } from '../../../src/core/state/evolve.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { readAll, STAMP } from '../../ports/journal/events.ts';
import { useFolder } from './folder.ts';

const folder = useFolder();
const life = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

test('a journal of an earlier version is read, and its retired events have no effect', async () => {
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
  const state = foldEvents(createLegionState(), await readAll(journal));
  await journal.close();
  expect(state).toMatchObject({ version: 5, ignored: 1, lastIntent: 2 });
  const planner = state.workers.get('a-1-plan');
  expect(planner && toLifecycleState(planner.facts)).toBe('waiting-user');
  // The retired command keeps its number, because otherwise the later numbers would not be
  // accepted.
  expect([...state.intents.values()].map(({ command }) => command.kind)).toEqual([
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
