/** Run as a process of its own: opens journals to read, to write or only to be able to, as nobody if so asked; prints how each went. */
import { type FaultCode, LegionError } from '../../../src/core/model/fault.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, readAll } from '../../ports/journal/events.ts';

/** "nobody" nearly everywhere; any number without rights of its own would do. */
const NOBODY = 65_534;

const [intention = '', visitor = '', ...paths] = process.argv.slice(2);

// Permissions do not hold root back. Only now, after the imports: the sources may be where only root can read them.
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

/** The number of events the visitor could read. */
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
