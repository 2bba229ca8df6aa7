/** Webhooks only hurry: with none of them, or all tripled and shuffled, Linear looks the same in the end. */
import { expect, test } from 'vitest';
import { STORIES, scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { comparable, expectWhole } from '../e2e/linear/final-state.ts';
import { linearStage } from '../e2e/linear/linear-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/linear/person.ts';
import { SEED } from '../ports/host/random.ts';

const begin = linearStage();
const stories = numberedOn(STORIES);
const MOST_MS = 600_000;

async function played(said: string, how?: { times: number; shuffled: number }): Promise<unknown> {
  const life = await begin(scenario(stories));
  await life.start();
  if (how !== undefined) life.listen(how);
  write(life, stories);
  await seeThrough(life, stories);
  expectWhole(life, stories, said);
  expectLives(await life.events(), stories, said);
  await life.stop();
  return comparable(life.linear.snapshot());
}

test(
  `six issues end the same without webhooks and with all of them tripled and shuffled (LEGION_SEED=${SEED})`,
  async () => {
    const without = await played('without webhooks');
    const tripled = await played(`tripled, LEGION_SEED=${SEED}`, { times: 3, shuffled: SEED });
    expect(tripled).toEqual(without);
  },
  MOST_MS,
);
