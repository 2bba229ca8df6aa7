/**
 * Checks that the cost per issue is the same on a local board of thousands of issues as on one of
 * hundreds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalBoard } from '../../src/integrations/local/tracker/open-local-board.ts';
import type { LocalBoard } from '../../src/ports/board-editor.ts';
import type { Bench } from '../bench.ts';

const FEW = 500;
const MANY = 2_000;
const LISTS = 15;
/** If the cost per issue grew with the size of the board, the ratio would be 4. */
const GOAL = 1.5;

export const localBoardBench: Bench = {
  name: 'local-board',
  description: 'listing a local board of 2,000 issues',
  deadlineMs: 120_000,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'legion-bench-local-board-'));
    const board = await openLocalBoard(join(folder, 'board.db'), { prefix: 'BENCH', now: Date.now });
    try {
      await createBoardIssues(board, 0, FEW);
      const few = await computeFastestListMs(board, FEW);
      await createBoardIssues(board, FEW, MANY);
      const many = await computeFastestListMs(board, MANY);
      const ratio = many / MANY / (few / FEW);
      return [
        {
          name: 'an issue listed among 2,000 compared with 500',
          value: Math.round(ratio * 100) / 100,
          unit: '×',
          goal: `≤ ${GOAL}`,
          met: ratio <= GOAL,
        },
      ];
    } finally {
      await board.dispose();
      rmSync(folder, { recursive: true });
    }
  },
};

async function createBoardIssues(board: LocalBoard, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    const id = await board.create(`key ${number}`, {
      title: `An issue with a title of several words ${number}`,
      body: 'x'.repeat(500),
      status: 'Todo',
      priority: 0,
      labels: ['bug', 'worker-active'],
      blockedBy: number > 2 ? [`BENCH-${number}`, `BENCH-${number - 1}`] : [],
    });
    if (number % 10 === 0) await board.say(id, 'ada', 'Hello.');
  }
}

/** Returns the fastest of several runs in ms, because noise only ever adds time. */
async function computeFastestListMs(board: LocalBoard, expected: number): Promise<number> {
  const { signal } = new AbortController();
  let best = Number.POSITIVE_INFINITY;
  for (let time = 1; time <= LISTS; time += 1) {
    const begun = performance.now();
    const { length } = await board.list(signal);
    best = Math.min(best, performance.now() - begun);
    if (length !== expected) throw new Error('The local board is incomplete.');
  }
  return best;
}
