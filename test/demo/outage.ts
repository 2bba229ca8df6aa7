/** The service behind a board is away for many looks, while workers are at work: nobody pays for that but with time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { quantities } from '../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { total } from '../../src/demo/stories/total.ts';
import { type NumberedStory, scenario } from '../../src/demo/stories.ts';
import type { Rule } from '../../src/demo/story.ts';
import type { Explanation } from '../../src/protocol/operator.ts';
import type { Life } from '../support/legion-process.ts';
import { until } from '../support/running-daemon.ts';

/** In this order: a bug, one that takes long, one that is built at once. */
export const PLAYED = [quotedNames, quantities, total];

/** One second is to 36 as the ordinary half a minute is to 18 minutes: more than thirty looks that fail. */
const INTERVAL_MS = 1_000;
const HALF_MS = 18_000;
/** Two looks that come to nothing make a board old; one that was under way may still end well. */
const OLD_AFTER_MS = 2 * INTERVAL_MS + 1_000;
export const POLLING = `polling: { interval: ${INTERVAL_MS / 1_000}s, slow_after: 1000 }\n`;

/** What is never anybody's due because a service is away. */
const HARM = ['attempt.crashed', 'attempt.paused', 'kill.performed', 'attempt.stopped', 'breaker.opened'];

/** They are at work when the service goes away, and report while it is away. */
export function thoughtful(stories: readonly NumberedStory[]): readonly Rule[] {
  const [bug, slow, building] = stories.map(({ id }) => id);
  return scenario(stories).rules.map((rule) => {
    const isLong = (rule.issue === bug && rule.phase === 'plan') || rule.issue === slow;
    const isBuilding = rule.issue === building && rule.phase === 'implement' && rule.purpose === 'start';
    // After they have read their issue, which nobody can while the service is away.
    if (isLong && (rule.phase === 'plan' || rule.phase === 'architect'))
      return { ...rule, steps: [...rule.steps.slice(0, 1), { think: '20s' }, ...rule.steps.slice(1)] };
    return isBuilding ? { ...rule, steps: [{ think: '3s' }, ...rule.steps] } : rule;
  });
}

export interface Outage {
  begin(kind: 'refused' | 502): void;
  /** What people do there meanwhile; nobody here can know. */
  meanwhile(): void;
  end(): void;
}

/** Nobody is killed, paused or started meanwhile, and reports are kept. */
export async function expectSurvived(
  life: Life,
  stories: readonly NumberedStory[],
  { begin, meanwhile, end }: Outage,
): Promise<void> {
  const [bug, slow, building] = stories.map(({ id }) => id);
  const isAtWork = (events: readonly Event[], issue: string | undefined, mode: string) =>
    events.some((event) => event.type === 'attempt.spawned' && event.issue === issue && event.mode === mode);
  await until(
    () => life.events(),
    (events) =>
      isAtWork(events, bug, 'plan') &&
      isAtWork(events, slow, 'architect') &&
      isAtWork(events, building, 'implement'),
    60_000,
  );

  begin('refused');
  const since = Date.now();
  await sleep(HALF_MS);
  meanwhile();
  begin(502);
  await sleep(HALF_MS);
  const during = (await life.events()).filter(({ at }) => at > since);
  const { state } = await life.door.get<Explanation>(`/issues/${bug}/explain`);
  const { ok } = await life.door.get<{ ok: boolean }>('/health');
  end();

  const spoken = during.flatMap((event) =>
    event.type === 'attempt.reported' ? [`${event.issue} ${event.mode} ${event.outcome}`] : [],
  );
  expect(spoken).toEqual(expect.arrayContaining([`${bug} plan done`, `${slow} architect done`]));
  expect(during.filter(({ type }) => HARM.includes(type))).toEqual([]);
  const started = during.filter(({ type, at }) => type === 'attempt.dispatched' && at > since + OLD_AFTER_MS);
  expect(started).toEqual([]);
  expect(ok).toBe(false);
  expect(JSON.stringify(state)).toMatch(/board_stale|as last seen/);
}
