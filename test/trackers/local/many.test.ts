/** A board of thousands is as quick, issue for issue, as one of hundreds. */
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import type { LocalBoard } from '../../../src/trackers/local-board.ts';
import { put, SIGNAL } from '../issues.ts';
import { useBoard } from './board.ts';

const FEW = 500;
const MANY = 2_000;
/** Of a cost per issue that grows with the board it would be 4; noise of a busy machine is below 2. */
const TOLERANCE = 2;

const { open } = useBoard();

test(`listing ${MANY} issues costs no more each than listing ${FEW}`, async () => {
  const board = await open();
  await fill(board, 0, FEW);
  const few = await quickest(board, FEW);
  await fill(board, FEW, MANY);
  const many = await quickest(board, MANY);
  process.stdout.write(`list: ${FEW} in ${few.toFixed(1)} ms, ${MANY} in ${many.toFixed(1)} ms\n`);
  expect(many / MANY / (few / FEW)).toBeLessThan(TOLERANCE);
});

async function fill(board: LocalBoard, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    const id = await put(board, `key ${number}`, {
      labels: ['bug', 'worker-active'],
      body: 'x'.repeat(500),
      blockedBy: number > 2 ? [`LEG-${number}`, `LEG-${number - 1}`] : [],
    });
    if (number % 10 === 0) await board.say(id, 'ada', 'Hello.');
  }
}

/** Milliseconds of the quickest of some lists. */
async function quickest(board: LocalBoard, expected: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 1; time <= 15; time += 1) {
    const start = performance.now();
    const { length } = await board.list(SIGNAL);
    best = Math.min(best, performance.now() - start);
    expect(length).toBe(expected);
  }
  return best;
}
