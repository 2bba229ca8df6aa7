/**
 * Simulates a board service that is unavailable for many reconcile passes while workers are
 * running. The outage may only cause delays.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { quantities } from '../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { total } from '../../src/demo/stories/total.ts';
import { buildDemoScenario, type NumberedStory } from '../../src/demo/stories.ts';
import type { DemoRule } from '../../src/demo/story.ts';
import type { IssueExplanation } from '../../src/protocol/operator.ts';
import type { DaemonProcess } from '../support/legion-process.ts';
import { until } from '../support/running-daemon.ts';

/** In this order: a bug, a slow issue, and one that is implemented immediately. */
export const PLAYED = [quotedNames, quantities, total];

/**
 * The outage lasts 36 s at a poll interval of 1 s, so more than thirty reads fail. At the usual
 * interval of half a minute, this would be 18 minutes.
 */
const INTERVAL_MS = 1_000;
const HALF_MS = 18_000;
/** Two failed reads make a board stale. A read that was already running may still succeed. */
const OLD_AFTER_MS = 2 * INTERVAL_MS + 1_000;
export const POLLING = `polling: { interval: ${INTERVAL_MS / 1_000}s, slow_after: 1000 }\n`;

/** Events that an unavailable service must never cause. */
const HARM = ['attempt.crashed', 'attempt.paused', 'kill.performed', 'attempt.stopped', 'breaker.opened'];

/**
 * Slows some workers down. They are then running when the service becomes unavailable, and report
 * during the outage.
 */
export function thoughtful(stories: readonly NumberedStory[]): readonly DemoRule[] {
  const [bug, slow, building] = stories.map(({ id }) => id);
  return buildDemoScenario(stories).rules.map((rule) => {
    const isLong = (rule.issue === bug && rule.phase === 'plan') || rule.issue === slow;
    const isBuilding = rule.issue === building && rule.phase === 'implement' && rule.purpose === 'start';
    // The pause comes after the worker has read its issue, because it could not read the issue
    // during the outage.
    if (isLong && (rule.phase === 'plan' || rule.phase === 'architect'))
      return { ...rule, steps: [...rule.steps.slice(0, 1), { think: '20s' }, ...rule.steps.slice(1)] };
    return isBuilding ? { ...rule, steps: [{ think: '3s' }, ...rule.steps] } : rule;
  });
}

export interface Outage {
  begin(kind: 'refused' | 502): void;
  /**
   * Makes changes on the board during the outage, as people do. Legion cannot see these changes
   * yet.
   */
  meanwhile(): void;
  end(): void;
}

/**
 * Checks that no worker is killed, paused or started during the outage, and that reports are kept.
 */
export async function expectSurvived(
  daemon: DaemonProcess,
  stories: readonly NumberedStory[],
  { begin, meanwhile, end }: Outage,
): Promise<void> {
  const [bug, slow, building] = stories.map(({ id }) => id);
  const isAtWork = (events: readonly Event[], issue: string | undefined, mode: string) =>
    events.some((event) => event.type === 'attempt.spawned' && event.issue === issue && event.mode === mode);
  await until(
    () => daemon.events(),
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
  const during = (await daemon.events()).filter(({ at }) => at > since);
  const { state } = await daemon.client.get<IssueExplanation>(`/issues/${bug}/explain`);
  const { ok } = await daemon.client.get<{ ok: boolean }>('/health');
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
