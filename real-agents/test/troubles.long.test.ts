import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event, EventOf } from '../../src/core/model/event.ts';
import type { Move } from '../model/mind.ts';
import { REAL_AGENTS, type RealLife, realStage } from './legion.ts';
import { began, longCommand, modeOf, plays } from './plays.ts';

const begin = realStage();

const CUT_SHORT = {
  phase: 'architect',
  attempt: 1,
  steps: [
    { write: { path: '.legion-scratch/half.txt', content: 'half\n' } },
    {
      checkpoint: { stage: 'half way', completed: ['half'], remaining: ['the rest'], lastAction: 'wrote it' },
    },
    { run: longCommand(300) },
    { done: 'never' },
  ],
};

test.for(REAL_AGENTS)(
  '%s is killed in the middle of a command, and its next life goes on in the same session',
  async ([agent]) => {
    const life = await begin(agent, { mind: plays(CUT_SHORT) });
    const issue = await life.add();
    await began(life, 'architect');
    const { pid } = await last(life, 'attempt.spawned', 'architect');
    process.kill(pid, 'SIGKILL');
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const lives = await all(life, 'attempt.dispatched', 'architect');
    expect(lives.slice(0, 2).map(({ session }) => session)).toEqual([lives[0]?.session, lives[0]?.session]);
    const crashed = await all(life, 'attempt.crashed', 'architect');
    expect(crashed).toHaveLength(1);
    const second = life.model.asked.filter(({ seen }) =>
      seen.prompts.some((prompt) => prompt.includes('attempt 2')),
    );
    expect(second[0]?.seen.prompts.length).toBeGreaterThan(1);
    expect(second[0]?.seen.prompts.at(-1)).toContain('half way');
  },
);

test.for(REAL_AGENTS)(
  '%s goes on while its daemon is replaced in the middle of its turn',
  async ([agent]) => {
    const slow = {
      phase: 'architect',
      steps: [{ run: longCommand(4) }, { handoff: 'specified' }, { done: 'specified' }],
    };
    const life = await begin(agent, { mind: plays(slow) });
    const issue = await life.add();
    await began(life, 'architect');
    await life.stop();
    await sleep(500);
    await life.start();
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    expect(await all(life, 'attempt.dispatched', 'architect')).toHaveLength(1);
    expect(await all(life, 'attempt.report_accepted', 'architect')).toHaveLength(1);
  },
);

test.for(REAL_AGENTS)(
  '%s is refused for lack of quota: it waits for the reset that was named, and a fallback takes its place',
  async ([agent]) => {
    const built = plays();
    const life = await begin(agent, {
      mind: (seen) => (modeOf(seen) === 'plan' ? refusal(seen.wire) : built(seen)),
      fallback: '{ agent: scripted }',
    });
    const issue = await life.add();
    await life.untilIssue(
      issue,
      'past its plan',
      ({ status }) => !['Triage', 'Backlog', 'Todo'].includes(status ?? ''),
    );
    const [waits] = await all(life, 'attempt.waiting', 'plan');
    expect(waits).toMatchObject({ for: 'quota' });
    // First, because its evidence says why there was one life more.
    expect(await all(life, 'attempt.crashed', 'plan')).toEqual([]);
    const lives = await all(life, 'attempt.dispatched', 'plan');
    expect(lives[0]?.agent).toBe(agent);
    // A busy machine may have stopped it before it began; once it was refused, nobody asks its provider again.
    const afterwards = lives.filter(({ seq }) => seq > (waits?.seq ?? 0));
    expect(afterwards.map(({ agent: who }) => who)).toEqual(['scripted']);
  },
);

/** As each provider says it. */
function refusal(wire: 'anthropic' | 'chat' | 'responses'): Move {
  const resetAt = Math.round(Date.now() / 1_000) + 3_600;
  if (wire === 'responses') {
    const error = { type: 'usage_limit_reached', message: 'limit', plan_type: 'pro', resets_at: resetAt };
    return { status: 429, body: { error } };
  }
  const error = { type: 'rate_limit_error', message: 'You have used up your quota' };
  return { status: 429, headers: { 'retry-after': '3600' }, body: { type: 'error', error } };
}

type AttemptEvent = Extract<Event['type'], `attempt.${string}`>;

async function all<T extends AttemptEvent>(life: RealLife, type: T, mode: string): Promise<EventOf<T>[]> {
  const events = await life.door.events();
  return events.filter(
    (event): event is EventOf<T> => event.type === type && 'mode' in event && event.mode === mode,
  );
}

async function last<T extends AttemptEvent>(life: RealLife, type: T, mode: string): Promise<EventOf<T>> {
  const found = (await all(life, type, mode)).at(-1);
  if (found === undefined) throw new Error(`no ${type} of ${mode}`);
  return found;
}
