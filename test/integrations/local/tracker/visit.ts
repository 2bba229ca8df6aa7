/**
 * Runs as a separate process, never as root: opens and uses each given board, and prints the number
 * of its issues or the fault code.
 */
import { type FaultCode, LegionError } from '../../../../src/core/model/fault.ts';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';

/** The id of "nobody" on most systems; any unprivileged id would do. */
const NOBODY = 65_534;

// Gives up root, because permissions do not restrict root. This happens after the imports, because
// only root may be able to read the sources.
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

/**
 * Returns the number of issues after a write. A board that opened must be usable, so a later
 * rejection fails the script.
 */
async function use(board: LocalBoard): Promise<number> {
  try {
    await put(board, 'one');
    return (await board.list(SIGNAL)).length;
  } catch (error) {
    throw new Error('rejected only after it was opened', { cause: error });
  } finally {
    await board.dispose();
  }
}
