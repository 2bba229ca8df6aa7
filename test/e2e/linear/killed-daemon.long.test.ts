/** Runs the whole demo in Linear while the daemon is killed at random moments and restarted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { expectFinalState } from './final-state.ts';
import { setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues(STORIES);
const MOST_MS = 400_000;
const KILLS = 8;
/** Longer than a daemon start, so that something happens between two kills. */
const LEAST_MS = 1_500;
const SPREAD_MS = 4_000;

test.each([
  ['local', 0],
  ['github', 0.3],
] as const)(
  `finishes six issues although the daemon is killed repeatedly (forge: %s, share of lost responses: %d, LEGION_SEED=${SEED})`,
  async (forge, lost) => {
    const daemon = await startDaemon({ ...buildDemoScenario(stories), forge });
    await daemon.start();
    writeIssues(daemon, stories);
    daemon.linear.faults.loseWrites(lost, SEED);
    const random = randomFrom(SEED);
    let kills = 0;
    await completeIssues(daemon, stories, async () => {
      if (kills >= KILLS) return;
      await sleep(LEAST_MS + random() * SPREAD_MS);
      await daemon.kill();
      await daemon.start();
      kills += 1;
    });
    expect(kills).toBeGreaterThan(2);
    expectFinalState(daemon, stories, `LEGION_SEED=${SEED}, lost ${lost}`);
    expectLives(await daemon.events(), stories, `LEGION_SEED=${SEED}, lost ${lost}`);
  },
  MOST_MS,
);
