import { expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { MERGING } from '../../test/e2e/support/legion.ts';
import { REAL_AGENTS, realStage } from './legion.ts';

const begin = realStage();

test.for(REAL_AGENTS)('%s takes an issue through all seven phases to Done', async ([agent]) => {
  const life = await begin(agent, { files: MERGING });
  const issue = await life.add();
  await life.untilStatus(issue, 'Done');
  const events = await life.untilEvents('every worker has ended', isQuiet);
  const accepted = events.filter((event) => event.type === 'attempt.report_accepted');
  expect(accepted.map(({ mode }) => mode)).toEqual([
    ...['architect', 'plan', 'implement', 'test', 'review', 'implement', 'merge'],
  ]);
  const dispatched = events.filter((event) => event.type === 'attempt.dispatched');
  expect(new Set(dispatched.map(({ agent: who }) => who))).toEqual(new Set([agent]));
  expect(events.filter((event) => event.type === 'attempt.crashed')).toEqual([]);
  const spent = events.filter((event) => event.type === 'attempt.spent');
  expect(spent.reduce((most, { tokens }) => Math.max(most, tokens), 0)).toBeGreaterThan(0);
});

function isQuiet(events: readonly Event[]): boolean {
  const count = (type: Event['type']) => events.filter((event) => event.type === type).length;
  return count('attempt.dispatched') > 0 && count('attempt.dispatched') === count('attempt.exited');
}
