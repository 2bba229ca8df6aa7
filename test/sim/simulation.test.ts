import { expect, test } from 'vitest';
import { KINDS } from '../../src/sim/calm.ts';
import { tellStory } from '../../src/sim/story.ts';
import { effort } from '../support/effort.ts';

/** Other seeds than those that `npm run sim` begins with. */
const FROM = 500_000;
const SEEDS = effort(25, 300);
/** A story takes a tenth of a second; several times that on a busy machine. */
const MOST_MS = SEEDS * 2_000;

test(
  'whatever goes wrong, the promises hold, and after healing everything is Done',
  async () => {
    for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
      const { broken } = await tellStory(seed);
      expect(broken, `npm run sim -- --seeds 1 --from ${seed}`).toEqual([]);
    }
  },
  MOST_MS,
);

test('a seed is told again in the same words', async () => {
  const [one, other] = [await tellStory(FROM), await tellStory(FROM)];
  expect(other.story).toEqual(one.story);
  expect(other.trace).toBe(one.trace);
  expect((await tellStory(FROM + 1)).trace).not.toBe(one.trace);
});

test('without any trouble every issue goes its way without a person but for what is unclear or has to be approved', async () => {
  const all = new Set(KINDS);
  const { broken, story } = await tellStory(FROM, all);
  expect(broken).toEqual([]);
  const settled = story
    .filter((line) => line.includes('a person settles'))
    .map((line) => line.split('settles ')[1]);
  expect(settled.every((what) => /^(?:clarification|approval) of /.test(what ?? ''))).toBe(true);
  expect(story.some((line) => / trouble | BROKEN | gets (?:TERM|KILL)/.test(line))).toBe(false);
});
