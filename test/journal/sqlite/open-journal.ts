/** SQLite journals for the conformance suite: real files in a separate folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { JournalHarness } from '../../ports/journal/conformance/journal-under-test.ts';

export function sqliteHarness(): JournalHarness {
  const folder = mkdtempSync(join(tmpdir(), 'legion-journal-'));
  const handles: Journal[] = [];
  let journals = 0;
  const path = () => join(folder, `${journals}.db`);

  async function open(): Promise<Journal> {
    const journal = await openSqliteJournal(path());
    handles.push(journal);
    return journal;
  }

  return {
    fresh: () => {
      journals += 1;
      return open();
    },
    reopen: open,
    tamper: {
      setBody: (seq, text) => change(path(), 'UPDATE events SET body = ?2 WHERE seq = ?1', seq, text),
      setType: (seq, type) => change(path(), 'UPDATE events SET type = ?2 WHERE seq = ?1', seq, type),
      removeEvent: (seq) => change(path(), 'DELETE FROM events WHERE seq = ?', seq),
      removeSnapshots: () => change(path(), 'DELETE FROM snapshots'),
    },
    async dispose() {
      for (const journal of handles) await journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Uses a separate connection, as a person with the `sqlite3` tool would. */
function change(path: string, sql: string, ...values: (string | number)[]): void {
  const db = new DatabaseSync(path);
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}
