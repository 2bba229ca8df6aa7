/**
 * Runs as a separate process until it is killed: performs steps on a board and prints each step
 * once it is acknowledged.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';

/**
 * Number of the last steps that a new process repeats, because it cannot know whether its killed
 * predecessor completed them.
 */
const REPEATED = 2;

const [path = ''] = process.argv.slice(2);

/** Writes synchronously, so that the output has left this process before the next write begins. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

// Writes the compile cache now. Node would do so on a regular exit, but this process is always
// killed.
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
