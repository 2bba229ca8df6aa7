/** The whole demo while a third of all writes is carried out and their answers are lost. */
import { expect, test } from 'vitest';
import { STORIES, scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/github/final-state.ts';
import { githubStage } from '../e2e/github/github-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/github/person.ts';
import { SEED } from '../ports/host/random.ts';

const begin = githubStage();
const stories = numberedOn(STORIES);
const MOST_MS = 300_000;
/** Of all writes. */
const LOST = 0.3;
const TIMES = 3;

test.each(Array.from({ length: TIMES }, (_, nth) => SEED + nth))(
  'six issues become Done, and nothing is there twice (LEGION_SEED=%i)',
  async (seed) => {
    const life = await begin(scenario(stories));
    await life.start();
    write(life, stories);
    life.github.faults.loseWrites(LOST, seed);
    await seeThrough(life, stories);
    expect(life.github.requests().filter(({ status, write: writes }) => writes && status === 0)).not.toEqual(
      [],
    );
    expectWhole(life, stories, `LEGION_SEED=${seed}`);
    expectLives(await life.events(), stories, `LEGION_SEED=${seed}`);
  },
  MOST_MS,
);
