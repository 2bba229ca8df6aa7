/** Run as a process of its own, and never as root: opens boards and prints how each went. */
import { type FaultCode, LegionError } from '../../../../src/core/model/fault.ts';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import { openLocalBoard } from '../../../../src/trackers/local/open-local-board.ts';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';

/** "nobody" nearly everywhere; any number without rights of its own would do. */
const NOBODY = 65_534;

// Permissions do not hold root back. Only now, after the imports: the sources may be where only root can read them.
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

const outcomes: (number | FaultCode)[] = [];
for (const path of process.argv.slice(2)) {
  try {
    outcomes.push(await use(await openLocalBoard(path, { prefix: 'LEG', now: Date.now })));
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    outcomes.push(error.code);
  }
}
process.stdout.write(JSON.stringify(outcomes));

/** The number of issues afterwards. A board that opened must be of use: a refusal now is not the one that is expected. */
async function use(board: LocalBoard): Promise<number> {
  try {
    await put(board, 'one');
    return (await board.list(SIGNAL)).length;
  } catch (error) {
    throw new Error('refused only after it was opened', { cause: error });
  } finally {
    await board.dispose();
  }
}
