/** Takes one issue through all phases in Linear. Its code is on this machine. */
import { expect, test } from 'vitest';
import { lowStock } from '../../../src/demo/stories/low-stock.ts';
import { buildDemoScenario } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { expectFinalState } from './final-state.ts';
import { setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues([lowStock]);
const MOST_MS = 120_000;

test(
  'moves an issue from Triage to Done through webhooks; a person answers the question and approves the merge in Linear',
  async () => {
    // Polling alone would take minutes.
    const daemon = await startDaemon({
      ...buildDemoScenario(stories),
      yaml: 'polling: { interval: 60s, slow_after: 1000 }\n',
    });
    await daemon.start();
    daemon.sendWebhooks();
    writeIssues(daemon, stories);
    await completeIssues(daemon, stories);
    expectFinalState(daemon, stories, 'with webhooks');
    expectLives(await daemon.events(), stories, 'with webhooks');
    expect(daemon.linear.snapshot().issues[0]?.comments.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\*\*Question 1\*\* of the implement worker:\n\n.*\n\nRecorded as the answer/),
        expect.stringMatching(/^Recorded as the answer to question 1 \(“With --low 3.*”\), by .*ada/i),
      ]),
    );
    const { troubles } = await daemon.client.get<{ troubles: unknown[] }>('/health');
    expect(troubles).toEqual([]);
  },
  MOST_MS,
);
