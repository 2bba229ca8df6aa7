/**
 * Lists every attempt that each demo issue requires, with its phase, why it started and how it
 * ended.
 */
import { expect } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { DemoHistory } from '../../src/demo/history.ts';
import { lowStock } from '../../src/demo/stories/low-stock.ts';
import { quantities } from '../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { thousands } from '../../src/demo/stories/thousands.ts';
import { total } from '../../src/demo/stories/total.ts';
import { usage } from '../../src/demo/stories/usage.ts';
import type { NumberedStory } from '../../src/demo/stories.ts';
import { findDoubleDispatches } from '../e2e/support/attempts.ts';

const BEFORE = ['architect start done', 'plan start done'];
const IMPLEMENTED = 'implement start done';
const TESTED = 'test start done';
const REVIEWED = 'review start done';
const AFTER = ['retro retro done', 'merge start done'];

const LIVES: Readonly<Record<string, readonly string[]>> = {
  [lowStock.title]: [
    ...BEFORE,
    ...['implement start asked', 'implement feedback done', TESTED, REVIEWED],
    ...AFTER,
  ],
  [quotedNames.title]: ['plan start done', IMPLEMENTED, TESTED, REVIEWED, ...AFTER],
  [usage.title]: [...BEFORE, IMPLEMENTED, TESTED, REVIEWED, ...AFTER],
  [total.title]: [
    ...BEFORE,
    ...[IMPLEMENTED, TESTED, 'implement test_failure done', TESTED, REVIEWED],
    ...AFTER,
  ],
  [quantities.title]: [
    ...BEFORE,
    ...[IMPLEMENTED, TESTED, REVIEWED, 'implement review_changes done', TESTED, REVIEWED],
    ...AFTER,
  ],
  [thousands.title]: [
    ...BEFORE,
    ...['implement start crashed', 'implement crash done', TESTED, REVIEWED],
    ...AFTER,
  ],
};

export function livesOf(title: string): readonly string[] {
  return LIVES[title] ?? [];
}

/**
 * Checks that each phase ran as often as the demo issue requires: no worker was killed, started
 * twice or started without need.
 */
export function expectLives(events: readonly Event[], stories: readonly NumberedStory[], said: string): void {
  expect(findDoubleDispatches(events), said).toEqual([]);
  expect(
    events.filter(({ type }) => type === 'kill.performed' || type === 'attempt.paused'),
    said,
  ).toEqual([]);
  const chronicle = new DemoHistory();
  for (const event of events) chronicle.applyEvent(event);
  const lived = stories.map(({ id, title }) => [
    title,
    chronicle.getIssue(id).attempts.map(({ phase, purpose, end }) => `${phase} ${purpose} ${end}`),
  ]);
  expect(Object.fromEntries(lived), said).toEqual(
    Object.fromEntries(stories.map(({ title }) => [title, livesOf(title)])),
  );
}
