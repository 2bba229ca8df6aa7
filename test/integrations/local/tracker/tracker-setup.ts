/** Local boards for the conformance suite: real files in a temporary directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import type { Tracker } from '../../../../src/ports/tracker.ts';
import type { TrackerHarness } from '../../../ports/tracker/conformance/tracker-under-test.ts';

const WRITES = ['write', 'comment', 'putComment', 'create', 'close'] as const;

export function localHarness(): TrackerHarness {
  const folder = mkdtempSync(join(tmpdir(), 'legion-board-'));
  const handles: LocalBoard[] = [];
  let boards = 0;
  let answersToLose = 0;

  async function open(): Promise<LocalBoard> {
    const board = await openLocalBoard(join(folder, `${boards}.db`), { prefix: 'LEG', now: Date.now });
    handles.push(board);
    return board;
  }

  /** Wraps a board so that, on request, a write is executed but its response is lost. */
  function lossy(board: LocalBoard): Tracker {
    const losing = WRITES.map((name) => [
      name,
      async (...given: unknown[]) => {
        const answer = await (board[name] as (...given: unknown[]) => Promise<unknown>)(...given);
        if (answersToLose === 0) return answer;
        answersToLose -= 1;
        throw new LegionError('tracker.unavailable', 'the response was lost');
      },
    ]);
    return { ...board, ...Object.fromEntries(losing) };
  }

  function present(): LocalBoard {
    const board = handles.at(-1);
    if (board === undefined) throw new Error('there is no board yet');
    return board;
  }

  return {
    fresh: async () => {
      boards += 1;
      return lossy(await open());
    },
    reopen: async () => lossy(await open()),
    personComments: (issue, text) => present().say(issue, 'ada', text),
    personLabels: (issue, { add = [], remove = [] }) => present().relabel(issue, { add, remove }),
    personMoves: (issue, to) => present().move(issue, to),
    loseNextAnswer: () => {
      answersToLose += 1;
    },
    async dispose() {
      for (const board of handles) await board.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
