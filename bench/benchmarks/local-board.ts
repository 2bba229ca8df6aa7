/** A local board of thousands is as quick, issue for issue, as one of hundreds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalBoard } from '../../src/ports/board-editor.ts';
import { openLocalBoard } from '../../src/trackers/local/open-local-board.ts';
import type { Bench } from '../bench.ts';

const FEW = 500;
const MANY = 2_000;
const LISTS = 15;
/** A cost per issue that grew with the board would make it 4. */
const GOAL = 1.5;

export const localBoardBench: Bench = {
  name: 'local-board',
  description: 'listing a local board of 2,000 issues',
  deadlineMs: 120_000,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'legion-bench-local-board-'));
    const board = await openLocalBoard(join(folder, 'board.db'), { prefix: 'BENCH', now: Date.now });
    try {
      await fill(board, 0, FEW);
      const few = await quickest(board, FEW);
      await fill(board, FEW, MANY);
      const many = await quickest(board, MANY);
      const ratio = many / MANY / (few / FEW);
      return [
        {
          name: 'an issue listed among 2,000 against among 500',
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

async function fill(board: LocalBoard, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    const id = await board.create(`key ${number}`, {
      ...{ title: `An issue with some words ${number}`, body: 'x'.repeat(500), status: 'Todo', priority: 0 },
      labels: ['bug', 'worker-active'],
      blockedBy: number > 2 ? [`BENCH-${number}`, `BENCH-${number - 1}`] : [],
    });
    if (number % 10 === 0) await board.say(id, 'ada', 'Hello.');
  }
}

/** Milliseconds of the quickest of some lists: noise only ever adds. */
async function quickest(board: LocalBoard, expected: number): Promise<number> {
  const { signal } = new AbortController();
  let best = Number.POSITIVE_INFINITY;
  for (let time = 1; time <= LISTS; time += 1) {
    const begun = performance.now();
    const { length } = await board.list(signal);
    best = Math.min(best, performance.now() - begun);
    if (length !== expected) throw new Error('the local board of the benchmark is not whole');
  }
  return best;
}
