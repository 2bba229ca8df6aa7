/**
 * Runs as one of several processes: appends numbered messages and retries until all are written.
 */
import { LegionError } from '../../../src/core/model/fault.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, STAMP } from '../../ports/journal/events.ts';

const [path = '', first = '', count = ''] = process.argv.slice(2);

const journal = await retried(() => openSqliteJournal(path));
for (let written = 0; written < Number(count); written += 1) {
  await retried(async () =>
    journal.append([message(Number(first) + written)], await journal.version(), STAMP),
  );
}
await journal.close();

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LegionError && error.retryable)) throw error;
    }
  }
}
