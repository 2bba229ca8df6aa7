import { expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { AUTO_MERGE_FILES } from '../../test/e2e/support/legion.ts';
import { REAL_AGENTS, useRealStage } from './legion.ts';

const startDaemon = useRealStage();

test.for(REAL_AGENTS)('%s completes an issue through all seven phases to Done', async ([agent]) => {
  const daemon = await startDaemon(agent, { files: AUTO_MERGE_FILES });
  const issue = await daemon.add();
  await daemon.untilStatus(issue, 'Done');
  const events = await daemon.untilEvents('every worker has ended', isQuiet);
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
