/**
 * Runs the whole demo while Linear executes all writes but loses the responses to a third of them.
 */
import { expect, test } from 'vitest';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { SEED } from '../../ports/host/random.ts';
import { expectFinalState } from './final-state.ts';
import { setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues(STORIES);
const MOST_MS = 300_000;
/** Share of all writes whose response is lost. */
const LOST = 0.3;

test.each([
  ['local', SEED],
  ['github', SEED + 1],
] as const)(
  'finishes six issues without duplicates although responses to writes are lost (forge: %s, LEGION_SEED=%i)',
  async (forge, seed) => {
    const daemon = await startDaemon({ ...buildDemoScenario(stories), forge });
    await daemon.start();
    writeIssues(daemon, stories);
    daemon.linear.faults.loseWrites(LOST, seed);
    await completeIssues(daemon, stories);
    const lost = daemon.linear.requests().filter(({ status, write: writes }) => writes && status === 0);
    expect(lost).not.toEqual([]);
    expectFinalState(daemon, stories, `LEGION_SEED=${seed}`);
    expectLives(await daemon.events(), stories, `LEGION_SEED=${seed}`);
  },
  MOST_MS,
);
