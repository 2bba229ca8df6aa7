/** GitHub is away for many looks at the board, while workers are at work. */
import { test } from 'vitest';
import { DEMO_REPO } from '../../simulators/github/demo.ts';
import { expectLives } from '../demo/lived.ts';
import { expectSurvived, PLAYED, POLLING, thoughtful } from '../demo/outage.ts';
import { expectWhole } from '../e2e/github/final-state.ts';
import { githubStage } from '../e2e/github/github-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/github/person.ts';

const begin = githubStage();
const stories = numberedOn(PLAYED);
const MOST_MS = 400_000;

test(
  'while GitHub is away nobody is killed, paused or started, reports are kept, and afterwards all goes on',
  async () => {
    const life = await begin({ rules: thoughtful(stories), yaml: POLLING });
    const { faults, people } = life.github;
    await life.start();
    write(life, stories);
    await expectSurvived(life, stories, {
      begin: faults.outage,
      meanwhile: () => void people.comment('ada', DEMO_REPO, 2, 'Take your time.'),
      end: () => faults.outage(undefined),
    });
    await seeThrough(life, stories);
    expectWhole(life, stories, 'after the outage');
    expectLives(await life.events(), stories, 'after the outage');
  },
  MOST_MS,
);
