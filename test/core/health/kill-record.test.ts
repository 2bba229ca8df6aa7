import { describe, expect, test } from 'vitest';
import { type AfterKill, judgeKill, type KillRecord } from '../../../src/core/health/kill-record.ts';
import { ago, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

const KILL: KillRecord = {
  worker: 'eng-21-implement',
  attempt: 1,
  flaggedAt: ago(2 * HOUR),
  killedAt: ago(HOUR),
  evidence: ['cpu=5 s, 0 ms since the flag'],
};
const NOTHING: AfterKill = { reportAt: 'none', changeAt: 'none', agentEventAt: 'none' };

const verdict = (after: Partial<AfterKill>, kill: Partial<KillRecord> = {}) =>
  judgeKill({ ...KILL, ...kill }, { ...NOTHING, ...after }, NOW, {}).verdict;

describe('a kill was wrong when the killed attempt', () => {
  test.each<[string, Partial<AfterKill>]>([
    ['had written a report, be it before the flag', { reportAt: ago(3 * HOUR) }],
    ['delivered a report after its kill', { reportAt: ago(MINUTE) }],
    ['changed its workspace after the flag', { changeAt: ago(90 * MINUTE) }],
    ['had an agent event after the flag', { agentEventAt: ago(90 * MINUTE) }],
  ])('%s', (_, after) => {
    expect(verdict(after)).toBe('wrong');
    expect(verdict(after, { killedAt: ago(SECOND) }), 'known at once, without waiting').toBe('wrong');
  });
});

test('what it did before the flag and was only found late does not make it wrong', () => {
  expect(verdict({ changeAt: ago(3 * HOUR), agentEventAt: ago(2 * HOUR) })).toBe('right');
});

test('a kill nothing has contradicted for an hour was right', () => {
  expect(verdict({}, { killedAt: ago(HOUR - 1) })).toBe('open');
  expect(verdict({}, { killedAt: ago(HOUR) })).toBe('right');
});

test('a source that could not be read is named, and does not keep a kill open for ever', () => {
  const judged = judgeKill(KILL, { ...NOTHING, changeAt: 'unavailable' }, NOW, {});
  expect(judged.verdict).toBe('right');
  expect(judged.why).toContain('Its change could not be read.');
});

test('the record keeps what the kill was based on', () => {
  expect(judgeKill(KILL, NOTHING, NOW, {}).evidence).toEqual([
    'cpu=5 s, 0 ms since the flag',
    'report=none',
    'change=none',
    'agent_event=none',
  ]);
});

test('times that cannot be read never make a kill right', () => {
  expect(verdict({}, { killedAt: Number.NaN })).toBe('open');
  expect(verdict({}, { killedAt: NOW + HOUR })).toBe('open');
});
