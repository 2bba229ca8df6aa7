/** Run as a process of its own, several at a time: appends numbered messages and tries again until all are in. */
import { LegionError } from '../../../src/domain/fault.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, STAMP } from '../events.ts';

const [path = '', first = '', count = ''] = process.argv.slice(2);

const journal = await openSqliteJournal(path);
let refused = 0;
for (let written = 0; written < Number(count); ) {
  try {
    await journal.append([message(Number(first) + written)], await journal.version(), STAMP);
    written += 1;
  } catch (error) {
    if (!(error instanceof LegionError && error.retryable)) throw error;
    refused += 1;
  }
}
await journal.close();
process.stdout.write(String(refused));
