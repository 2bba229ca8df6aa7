import { expect, test } from 'vitest';
import { FAULT_KINDS } from '../../src/sim/faults.ts';
import { runSimulation } from '../../src/sim/simulation.ts';
import { chooseByEffort } from '../support/effort.ts';

/** First seed, far from those that `npm run sim` starts with. */
const FROM = 500_000;
const SEEDS = chooseByEffort(25, 300);
/** A run takes a tenth of a second, but several times that on a busy machine. */
const MOST_MS = SEEDS * 2_000;

test(
  'all guarantees hold under any faults, and every issue reaches Done once the faults end',
  async () => {
    for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
      const { broken } = await runSimulation(seed);
      expect(broken, `npm run sim -- --seeds 1 --from ${seed}`).toEqual([]);
    }
  },
  MOST_MS,
);

test('the same seed gives the same simulation run', async () => {
  const [one, other] = [await runSimulation(FROM), await runSimulation(FROM)];
  expect(other.log).toEqual(one.log);
  expect(other.trace).toBe(one.trace);
  expect((await runSimulation(FROM + 1)).trace).not.toBe(one.trace);
});

test('without faults, a person only has to clarify and approve issues', async () => {
  const all = new Set(FAULT_KINDS);
  const { broken, log: story } = await runSimulation(FROM, all);
  expect(broken).toEqual([]);
  const settled = story
    .filter((line) => line.includes('a person settles'))
    .map((line) => line.split('settles ')[1]);
  expect(settled.every((what) => /^(?:clarification|approval) of /.test(what ?? ''))).toBe(true);
  expect(story.some((line) => / trouble | BROKEN | gets (?:TERM|KILL)/.test(line))).toBe(false);
});
