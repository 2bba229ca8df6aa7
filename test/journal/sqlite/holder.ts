/**
 * Runs as a separate process: holds a journal's write lock for a while, and creates a file as soon
 * as it has the lock.
 */
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const [path = '', marker = '', milliseconds = ''] = process.argv.slice(2);

const db = new DatabaseSync(path);
db.exec('BEGIN IMMEDIATE');
writeFileSync(marker, '');
await sleep(Number(milliseconds));
db.exec('ROLLBACK');
db.close();
