/** Run as a process of its own until it is killed: step after step on a board, each printed once it is acknowledged. */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { openLocalBoard } from '../../../../src/trackers/local/open-local-board.ts';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';

/** Steps done again at the beginning of a life: whoever was killed cannot know whether they had been done. */
const REPEATED = 2;

const [path = ''] = process.argv.slice(2);

/** Synchronously: what is printed has left this process before the next write begins. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

// Node writes its cache at a regular exit, which no life of this process has.
flushCompileCache();
say('opening');
const board = await openLocalBoard(path, { prefix: 'LEG', now: Date.now });
const mover = new DatabaseSync(path);
const steps = (await board.list(SIGNAL)).map(({ title }) => Number(title));
for (let step = Math.max(1, ...steps.map((done) => done + 1 - REPEATED)); ; step += 1) {
  const previous = (await board.list(SIGNAL)).find(({ title }) => Number(title) === step - 1);
  const id = await put(board, `step ${step}`, {
    title: String(step),
    body: 'x'.repeat(step % 7 === 0 ? 20_000 : 50),
    labels: ['worker-done', 'left', 'right'],
    blockedBy: previous === undefined ? [] : [previous.id],
  });
  say(`created ${step} ${id}`);
  await board.write(id, { moveTo: 'Testing', labels: { add: ['worker-active'], remove: ['worker-done'] } });
  say(`moved ${step} ${id}`);
  await board.comment(id, 'key', `about ${step}`);
  say(`commented ${step} ${id}`);
  if (step % 3 === 0) mover.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
