/**
 * Checks that webhooks only speed things up. GitHub ends in the same state whether all webhooks are
 * dropped or each is delivered three times in random order.
 */
import { expect, test } from 'vitest';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { SEED } from '../../ports/host/random.ts';
import { expectFinalState, toComparable } from './final-state.ts';
import { setUpGithubDaemons } from './github-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();
const stories = numberIssues(STORIES);
const MOST_MS = 600_000;

async function played(said: string, how?: { times: number; shuffled: number }): Promise<unknown> {
  const daemon = await startDaemon(buildDemoScenario(stories));
  await daemon.start();
  if (how !== undefined) daemon.sendWebhooks(how);
  writeIssues(daemon, stories);
  await completeIssues(daemon, stories);
  expectFinalState(daemon, stories, said);
  expectLives(await daemon.events(), stories, said);
  await daemon.stop();
  return toComparable(daemon.github.snapshot());
}

test(
  `six issues end in the same state, whether there are no webhooks or each arrives three times in random order (LEGION_SEED=${SEED})`,
  async () => {
    const without = await played('without webhooks');
    const tripled = await played(`tripled, LEGION_SEED=${SEED}`, { times: 3, shuffled: SEED });
    expect(tripled).toEqual(without);
  },
  MOST_MS,
);
