/** Runs the six demo issues on GitHub, from the board to merged pull requests. */
import { expect, test } from 'vitest';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { expectFinalState } from './final-state.ts';
import { setUpGithubDaemons } from './github-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();
const stories = numberIssues(STORIES);
const MOST_MS = 300_000;

test(
  'finishes six issues through webhooks, each with one merged pull request and without duplicates',
  async () => {
    // Polling alone would take minutes.
    const daemon = await startDaemon({
      ...buildDemoScenario(stories),
      yaml: 'polling: { interval: 15s, slow_after: 1000 }\n',
    });
    await daemon.start();
    daemon.sendWebhooks();
    writeIssues(daemon, stories);
    await completeIssues(daemon, stories);
    expectFinalState(daemon, stories, 'with webhooks');
    expectLives(await daemon.events(), stories, 'with webhooks');
    const { troubles } = await daemon.client.get<{ troubles: unknown[] }>('/health');
    expect(troubles).toEqual([]);
  },
  MOST_MS,
);
