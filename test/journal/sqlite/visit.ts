/**
 * Runs as a separate process: opens journals for reading or writing, optionally appends, and prints
 * the results. Can run as an unprivileged user.
 */
import { type FaultCode, LegionError } from '../../../src/core/model/fault.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, readAll } from '../../ports/journal/events.ts';

/** The uid of "nobody" on nearly all systems. Any unprivileged uid would do. */
const NOBODY = 65_534;

const [intention = '', visitor = '', ...paths] = process.argv.slice(2);

// Switches to an unprivileged user, because permissions do not restrict root. This happens after
// the imports, because possibly only root can read the sources.
if (visitor === 'nobody' && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

const outcomes: (number | FaultCode)[] = [];
for (const path of paths) {
  try {
    outcomes.push(await visit(path));
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    outcomes.push(error.code);
  }
}
process.stdout.write(JSON.stringify(outcomes));

/** Returns the number of events that could be read. */
async function visit(path: string): Promise<number> {
  const journal = await openSqliteJournal(path, { readOnly: intention === 'read' });
  try {
    const version = await journal.version();
    if (intention === 'write') await journal.append([message(version + 1)], version, { at: 1, epoch: 1 });
    return (await readAll(journal)).length;
  } finally {
    await journal.close();
  }
}
