import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event, EventOf } from '../../src/core/model/event.ts';
import type { ModelMove } from '../model/mind.ts';
import { REAL_AGENTS, type RealLife, useRealStage } from './legion.ts';
import { buildLongCommand, createPlay, findMode, waitForCommandStart } from './plays.ts';

const startDaemon = useRealStage();

const CUT_SHORT = {
  phase: 'architect',
  attempt: 1,
  steps: [
    { write: { path: '.legion-scratch/half.txt', content: 'half\n' } },
    {
      checkpoint: { stage: 'half way', completed: ['half'], remaining: ['the rest'], lastAction: 'wrote it' },
    },
    { run: buildLongCommand(300) },
    { done: 'never' },
  ],
};

test.for(REAL_AGENTS)(
  'if %s is killed while a command is running, its next attempt continues the same session',
  async ([agent]) => {
    const daemon = await startDaemon(agent, { mind: createPlay(CUT_SHORT) });
    const issue = await daemon.add();
    await waitForCommandStart(daemon, 'architect');
    const { pid } = await last(daemon, 'attempt.spawned', 'architect');
    process.kill(pid, 'SIGKILL');
    await daemon.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const lives = await all(daemon, 'attempt.dispatched', 'architect');
    expect(lives.slice(0, 2).map(({ session }) => session)).toEqual([lives[0]?.session, lives[0]?.session]);
    const crashed = await all(daemon, 'attempt.crashed', 'architect');
    expect(crashed).toHaveLength(1);
    const second = daemon.model.asked.filter(({ seen }) =>
      seen.prompts.some((prompt) => prompt.includes('attempt 2')),
    );
    expect(second[0]?.seen.prompts.length).toBeGreaterThan(1);
    expect(second[0]?.seen.prompts.at(-1)).toContain('half way');
  },
);

test.for(REAL_AGENTS)('%s continues its turn while the daemon restarts', async ([agent]) => {
  const slow = {
    phase: 'architect',
    steps: [{ run: buildLongCommand(4) }, { handoff: 'specified' }, { done: 'specified' }],
  };
  const daemon = await startDaemon(agent, { mind: createPlay(slow) });
  const issue = await daemon.add();
  await waitForCommandStart(daemon, 'architect');
  await daemon.stop();
  await sleep(500);
  await daemon.start();
  await daemon.untilIssue(
    issue,
    'past the architect',
    ({ status }) => status !== 'Triage' && status !== 'Backlog',
  );
  expect(await all(daemon, 'attempt.dispatched', 'architect')).toHaveLength(1);
  expect(await all(daemon, 'attempt.report_accepted', 'architect')).toHaveLength(1);
});

test.for(REAL_AGENTS)(
  'if %s has used up its quota, its worker is recorded as waiting for quota, and a fallback agent takes over',
  async ([agent]) => {
    const built = createPlay();
    const daemon = await startDaemon(agent, {
      mind: (seen) => (findMode(seen) === 'plan' ? refusal(seen.wire) : built(seen)),
      fallback: '{ agent: scripted }',
    });
    const issue = await daemon.add();
    await daemon.untilIssue(
      issue,
      'past its plan',
      ({ status }) => !['Triage', 'Backlog', 'Todo'].includes(status ?? ''),
    );
    const [waits] = await all(daemon, 'attempt.waiting', 'plan');
    expect(waits).toMatchObject({ for: 'quota' });
    // Checked first, because a crash would explain an additional attempt.
    expect(await all(daemon, 'attempt.crashed', 'plan')).toEqual([]);
    const lives = await all(daemon, 'attempt.dispatched', 'plan');
    expect(lives[0]?.agent).toBe(agent);
    // Checks only attempts after the refusal, because on a busy machine an earlier one may have
    // been stopped before it started. After the refusal, the provider must not be called again.
    const afterwards = lives.filter(({ seq }) => seq > (waits?.seq ?? 0));
    expect(afterwards.map(({ agent: who }) => who)).toEqual(['scripted']);
  },
);

/** Returns the provider's refusal, in the format of the given API. */
function refusal(wire: 'anthropic' | 'chat' | 'responses'): ModelMove {
  const resetAt = Math.round(Date.now() / 1_000) + 3_600;
  if (wire === 'responses') {
    const error = { type: 'usage_limit_reached', message: 'limit', plan_type: 'pro', resets_at: resetAt };
    return { status: 429, body: { error } };
  }
  const error = { type: 'rate_limit_error', message: 'You have used up your quota' };
  return { status: 429, headers: { 'retry-after': '3600' }, body: { type: 'error', error } };
}

type AttemptEvent = Extract<Event['type'], `attempt.${string}`>;

async function all<T extends AttemptEvent>(daemon: RealLife, type: T, mode: string): Promise<EventOf<T>[]> {
  const events = await daemon.client.events();
  return events.filter(
    (event): event is EventOf<T> => event.type === type && 'mode' in event && event.mode === mode,
  );
}

async function last<T extends AttemptEvent>(daemon: RealLife, type: T, mode: string): Promise<EventOf<T>> {
  const found = (await all(daemon, type, mode)).at(-1);
  if (found === undefined) throw new Error(`no ${type} event from the ${mode} worker`);
  return found;
}
