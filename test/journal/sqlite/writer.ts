/** Run as a process of its own until it is killed: appends batch after batch and prints each version once it is acknowledged. */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
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
const mover = new DatabaseSync(path);
let version = await journal.version();
for (let append = 1; ; append += 1) {
  version = await journal.append(batchFrom(version + 1), version, { at: version, epoch: Number(life) });
  say(String(version));
  // What a daemon does to the file less often, and must survive as well: a snapshot, and moving the log into the file.
  if (append % 5 === 0) await journal.saveSnapshot({ version, shape: 1, state: `state of ${version}` });
  if (append % 3 === 0) mover.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
