import { describe, expect, test } from 'vitest';
import { judgeKill } from '../../../src/core/health/kill-record.ts';
import type { KillRecord, TracesAfterKill } from '../../../src/core/model/lifecycle.ts';
import { ago, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

const KILL: KillRecord = {
  worker: 'eng-21-implement',
  attempt: 1,
  flaggedAt: ago(2 * HOUR),
  killedAt: ago(HOUR),
  evidence: ['cpu=5 s, 0 ms since the flag'],
};
const NOTHING: TracesAfterKill = { reportAt: 'none', changeAt: 'none', agentEventAt: 'none' };

const verdict = (after: Partial<TracesAfterKill>, kill: Partial<KillRecord> = {}) =>
  judgeKill({ ...KILL, ...kill }, { ...NOTHING, ...after }, NOW, {}).verdict;

describe('a kill was wrong if the killed attempt', () => {
  test.each<[string, Partial<TracesAfterKill>]>([
    ['had written a report, even before the flag', { reportAt: ago(3 * HOUR) }],
    ['delivered a report after its kill', { reportAt: ago(MINUTE) }],
    ['changed its workspace after the flag', { changeAt: ago(90 * MINUTE) }],
    ['had an agent event after the flag', { agentEventAt: ago(90 * MINUTE) }],
  ])('%s', (_, after) => {
    expect(verdict(after)).toBe('wrong');
    expect(verdict(after, { killedAt: ago(SECOND) }), 'decided at once').toBe('wrong');
  });
});

test('activity before the flag does not make a kill wrong, even if that activity is discovered late', () => {
  expect(verdict({ changeAt: ago(3 * HOUR), agentEventAt: ago(2 * HOUR) })).toBe('right');
});

test('a kill is considered right if nothing contradicts it for an hour', () => {
  expect(verdict({}, { killedAt: ago(HOUR - 1) })).toBe('open');
  expect(verdict({}, { killedAt: ago(HOUR) })).toBe('right');
});

test('an unreadable source is mentioned, but does not delay the verdict on the kill forever', () => {
  const judged = judgeKill(KILL, { ...NOTHING, changeAt: 'unavailable' }, NOW, {});
  expect(judged.verdict).toBe('right');
  expect(judged.why).toContain('Its change could not be read.');
});

test('the verdict on a kill includes the evidence for the kill and what was found afterwards', () => {
  expect(judgeKill(KILL, NOTHING, NOW, {}).evidence).toEqual([
    'cpu=5 s, 0 ms since the flag',
    'report=none',
    'change=none',
    'agent_event=none',
  ]);
});

test('a kill whose time is unreadable or in the future is never considered right', () => {
  expect(verdict({}, { killedAt: Number.NaN })).toBe('open');
  expect(verdict({}, { killedAt: NOW + HOUR })).toBe('open');
});
