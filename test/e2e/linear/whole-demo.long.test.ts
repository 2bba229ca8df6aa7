/**
 * Runs the six demo issues in Linear, from the board to merged pull requests, with either forge.
 */
import { expect, test } from 'vitest';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { expectFinalState } from './final-state.ts';
import { setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues(STORIES);
const MOST_MS = 300_000;

test.each(['local', 'github'] as const)(
  'finishes six issues through webhooks, without duplicates (forge: %s)',
  async (forge) => {
    // Polling alone would take minutes.
    const yaml = 'polling: { interval: 15s, slow_after: 1000 }\n';
    const daemon = await startDaemon({ ...buildDemoScenario(stories), forge, yaml });
    await daemon.start();
    daemon.sendWebhooks();
    writeIssues(daemon, stories);
    await completeIssues(daemon, stories);
    expectFinalState(daemon, stories, forge);
    expectLives(await daemon.events(), stories, forge);
    const { troubles } = await daemon.client.get<{ troubles: unknown[] }>('/health');
    expect(troubles).toEqual([]);
  },
  MOST_MS,
);
