/**
 * Runs as one of several processes: creates issues, some with keys that the other processes also
 * use, and prints their ids by key.
 */
import { LegionError } from '../../../../src/core/model/fault.ts';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import { put } from '../../../ports/tracker/issues.ts';

const [path = '', name = '', count = ''] = process.argv.slice(2);

const board = await retried(() => openLocalBoard(path, { prefix: 'LEG', now: Date.now }));
const made: Record<string, string> = {};
for (let number = 1; number <= Number(count); number += 1) {
  for (const key of [`shared ${number}`, `${name} ${number}`]) {
    const id = await retried(() => put(board, key, { title: key, labels: ['bug'] }));
    await retried(() => board.comment(id, 'hello', `first said by ${name}`));
    await retried(() => board.relabel(id, { add: [`by-${name}`], remove: [] }));
    await retried(() => board.write(id, { moveTo: 'Todo', labels: { add: ['worker-active'], remove: [] } }));
    made[key] = id;
  }
}
await board.dispose();
process.stdout.write(JSON.stringify(made));

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LegionError && error.retryable)) throw error;
    }
  }
}
