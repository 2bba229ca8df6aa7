/**
 * Runs the whole demo while GitHub executes all writes but loses the responses to a third of them.
 */
import { expect, test } from 'vitest';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { SEED } from '../../ports/host/random.ts';
import { expectFinalState } from './final-state.ts';
import { setUpGithubDaemons } from './github-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();
const stories = numberIssues(STORIES);
const MOST_MS = 300_000;
/** Share of all writes whose response is lost. */
const LOST = 0.3;
const TIMES = 3;

test.each(Array.from({ length: TIMES }, (_, nth) => SEED + nth))(
  'finishes six issues without duplicates although responses to writes are lost (LEGION_SEED=%i)',
  async (seed) => {
    const daemon = await startDaemon(buildDemoScenario(stories));
    await daemon.start();
    writeIssues(daemon, stories);
    daemon.github.faults.loseWrites(LOST, seed);
    await completeIssues(daemon, stories);
    expect(
      daemon.github.requests().filter(({ status, write: writes }) => writes && status === 0),
    ).not.toEqual([]);
    expectFinalState(daemon, stories, `LEGION_SEED=${seed}`);
    expectLives(await daemon.events(), stories, `LEGION_SEED=${seed}`);
  },
  MOST_MS,
);
