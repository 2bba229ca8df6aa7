/** Run as a process of its own: opens a journal to read or to write, as nobody if so asked, and prints how that went. */
import { LegionError } from '../../../src/domain/fault.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, readAll } from '../events.ts';

/** "nobody" nearly everywhere; any number without rights of its own would do. */
const NOBODY = 65_534;

const [path = '', intention = '', visitor = ''] = process.argv.slice(2);

// Permissions do not hold root back. Only now, after the imports: the sources may be where only root can read them.
if (visitor === 'nobody' && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

try {
  process.stdout.write(String(await visit()));
} catch (error) {
  if (!(error instanceof LegionError)) throw error;
  process.stdout.write(error.code);
}

/** The number of events the visitor could read. */
async function visit(): Promise<number> {
  const journal = await openSqliteJournal(path, { readOnly: intention === 'read' });
  try {
    const version = await journal.version();
    if (intention === 'write') await journal.append([message(version + 1)], version, { at: 1, epoch: 1 });
    return (await readAll(journal)).length;
  } finally {
    await journal.close();
  }
}
