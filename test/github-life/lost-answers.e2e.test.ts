/** Writes that GitHub carries out and whose answers are lost: nobody can know, and nothing is done twice. */
import { expect, test } from 'vitest';
import { quantities } from '../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/github/final-state.ts';
import { githubStage } from '../e2e/github/github-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/github/person.ts';
import { SEED } from '../ports/host/random.ts';

const begin = githubStage();
const stories = numberedOn([quotedNames, quantities]);
const MOST_MS = 300_000;
/** Of all writes. */
const LOST = 0.3;

test(
  `two issues become Done while a third of all answers to writes is lost (LEGION_SEED=${SEED})`,
  async () => {
    const life = await begin(scenario(stories));
    await life.start();
    write(life, stories);
    life.github.faults.loseWrites(LOST, SEED);
    await seeThrough(life, stories);
    expect(life.github.requests().filter(({ status, write: writes }) => writes && status === 0)).not.toEqual(
      [],
    );
    expectWhole(life, stories, `LEGION_SEED=${SEED}`);
    expectLives(await life.events(), stories, `LEGION_SEED=${SEED}`);
  },
  MOST_MS,
);
