/**
 * Runs as a separate process until it is killed: appends batches and prints each acknowledged
 * version.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { batchFrom } from './batches.ts';

const [path = '', life = ''] = process.argv.slice(2);

/** Writes synchronously, so that the line has left this process before the next append begins. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

// Flushes now, because Node writes its cache only on a normal exit, and this process is always
// killed.
flushCompileCache();
say('opening');
const journal = await openSqliteJournal(path);
const mover = new DatabaseSync(path);
let version = await journal.version();
for (let append = 1; ; append += 1) {
  version = await journal.append(batchFrom(version + 1), version, { at: version, epoch: Number(life) });
  say(String(version));
  // Occasionally performs other operations of a daemon that must survive kills: a snapshot and a
  // checkpoint.
  if (append % 5 === 0) await journal.saveSnapshot({ version, shape: 1, state: `state of ${version}` });
  if (append % 3 === 0) mover.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
