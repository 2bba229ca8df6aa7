/**
 * Runs as a separate process that holds a board's write lock for a while. Creates a file once it
 * has the lock, and then changes the board.
 */
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const [path = '', marker = '', milliseconds = ''] = process.argv.slice(2);

const db = new DatabaseSync(path);
db.exec("BEGIN IMMEDIATE; UPDATE issues SET title = 'Changed meanwhile'");
writeFileSync(marker, '');
await sleep(Number(milliseconds));
db.exec('COMMIT');
db.close();
