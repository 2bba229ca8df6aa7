/** Linear is away for many looks at the board, while workers are at work. */
import { test } from 'vitest';
import { expectLives } from '../demo/lived.ts';
import { expectSurvived, PLAYED, POLLING, thoughtful } from '../demo/outage.ts';
import { expectWhole } from '../e2e/linear/final-state.ts';
import { linearStage } from '../e2e/linear/linear-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/linear/person.ts';

const begin = linearStage();
const stories = numberedOn(PLAYED);
const MOST_MS = 400_000;

test(
  'while Linear is away nobody is killed, paused or started, reports are kept, and afterwards all goes on',
  async () => {
    const life = await begin({ rules: thoughtful(stories), yaml: POLLING });
    const { faults, people } = life.linear;
    await life.start();
    write(life, stories);
    await expectSurvived(life, stories, {
      begin: faults.outage,
      meanwhile: () => void people.comment('ada', 'DEMO-2', 'Take your time.'),
      end: () => faults.outage(undefined),
    });
    await seeThrough(life, stories);
    expectWhole(life, stories, 'after the outage');
    expectLives(await life.events(), stories, 'after the outage');
  },
  MOST_MS,
);
