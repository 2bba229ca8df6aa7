/** The whole demo while a third of all writes to Linear is carried out and their answers are lost. */
import { expect, test } from 'vitest';
import { STORIES, scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/linear/final-state.ts';
import { linearStage } from '../e2e/linear/linear-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/linear/person.ts';
import { SEED } from '../ports/host/random.ts';

const begin = linearStage();
const stories = numberedOn(STORIES);
const MOST_MS = 300_000;
/** Of all writes. */
const LOST = 0.3;

test.each([
  ['local', SEED],
  ['github', SEED + 1],
] as const)(
  'six issues become Done with the forge %s, and nothing is there twice (LEGION_SEED=%i)',
  async (forge, seed) => {
    const life = await begin({ ...scenario(stories), forge });
    await life.start();
    write(life, stories);
    life.linear.faults.loseWrites(LOST, seed);
    await seeThrough(life, stories);
    const lost = life.linear.requests().filter(({ status, write: writes }) => writes && status === 0);
    expect(lost).not.toEqual([]);
    expectWhole(life, stories, `LEGION_SEED=${seed}`);
    expectLives(await life.events(), stories, `LEGION_SEED=${seed}`);
  },
  MOST_MS,
);
