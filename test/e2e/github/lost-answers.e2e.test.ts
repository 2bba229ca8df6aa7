/** Checks that nothing is duplicated when GitHub executes writes but their responses are lost. */
import { expect, test } from 'vitest';
import { quantities } from '../../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { buildDemoScenario } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { SEED } from '../../ports/host/random.ts';
import { expectFinalState } from './final-state.ts';
import { setUpGithubDaemons } from './github-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();
const stories = numberIssues([quotedNames, quantities]);
const MOST_MS = 300_000;
/** Share of all writes whose response is lost. */
const LOST = 0.3;

test(
  `finishes two issues while a third of all write responses is lost (LEGION_SEED=${SEED})`,
  async () => {
    const daemon = await startDaemon(buildDemoScenario(stories));
    await daemon.start();
    writeIssues(daemon, stories);
    daemon.github.faults.loseWrites(LOST, SEED);
    await completeIssues(daemon, stories);
    expect(
      daemon.github.requests().filter(({ status, write: writes }) => writes && status === 0),
    ).not.toEqual([]);
    expectFinalState(daemon, stories, `LEGION_SEED=${SEED}`);
    expectLives(await daemon.events(), stories, `LEGION_SEED=${SEED}`);
  },
  MOST_MS,
);
