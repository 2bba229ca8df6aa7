/** Run as a process of its own until it is killed: appends batch after batch and prints each version once it is acknowledged. */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { batchFrom } from './batches.ts';

const [path = '', life = ''] = process.argv.slice(2);

/** Synchronously: what is printed has left this process before the next append begins. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

// Node writes its cache at a regular exit, which no life of this process has.
flushCompileCache();
say('opening');
const journal = await openSqliteJournal(path);
let version = await journal.version();
for (;;) {
  version = await journal.append(batchFrom(version + 1), version, { at: version, epoch: Number(life) });
  say(String(version));
  // Now and then something else a daemon does to the file.
  if (version % 17 === 0) await journal.saveSnapshot({ version, shape: 1, state: `state of ${version}` });
}
