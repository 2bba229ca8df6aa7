/** The whole demo while the daemon is killed and started again, wherever it is at that moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { STORIES, scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/github/final-state.ts';
import { githubStage } from '../e2e/github/github-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/github/person.ts';
import { randomFrom, SEED } from '../ports/host/random.ts';

const begin = githubStage();
const stories = numberedOn(STORIES);
const MOST_MS = 400_000;
const KILLS = 8;
/** Longer than a start takes, so that something happens between two kills. */
const LEAST_MS = 1_500;
const SPREAD_MS = 4_000;

test.each([0, 0.3])(
  `six issues become Done although the daemon is killed again and again, with answers lost at a rate of %d (LEGION_SEED=${SEED})`,
  async (lost) => {
    const life = await begin(scenario(stories));
    await life.start();
    write(life, stories);
    life.github.faults.loseWrites(lost, SEED);
    const random = randomFrom(SEED);
    let kills = 0;
    await seeThrough(life, stories, async () => {
      if (kills >= KILLS) return;
      await sleep(LEAST_MS + random() * SPREAD_MS);
      await life.kill();
      await life.start();
      kills += 1;
    });
    expect(kills).toBeGreaterThan(2);
    expectWhole(life, stories, `LEGION_SEED=${SEED}, lost ${lost}`);
    expectLives(await life.events(), stories, `LEGION_SEED=${SEED}, lost ${lost}`);
  },
  MOST_MS,
);
