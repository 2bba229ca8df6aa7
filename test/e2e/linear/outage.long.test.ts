/** Makes Linear unavailable for many reconcile passes while workers are running. */
import { test } from 'vitest';
import { expectLives } from '../../demo/lived.ts';
import { expectSurvived, PLAYED, POLLING, thoughtful } from '../../demo/outage.ts';
import { expectFinalState } from './final-state.ts';
import { setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues(PLAYED);
const MOST_MS = 400_000;

test(
  'does not kill, pause or start any worker during a Linear outage, loses no report of a worker, and continues afterwards',
  async () => {
    const daemon = await startDaemon({ rules: thoughtful(stories), yaml: POLLING });
    const { faults, people } = daemon.linear;
    await daemon.start();
    writeIssues(daemon, stories);
    await expectSurvived(daemon, stories, {
      begin: faults.outage,
      meanwhile: () => void people.comment('ada', 'DEMO-2', 'Take your time.'),
      end: () => faults.outage(undefined),
    });
    await completeIssues(daemon, stories);
    expectFinalState(daemon, stories, 'after the outage');
    expectLives(await daemon.events(), stories, 'after the outage');
  },
  MOST_MS,
);
