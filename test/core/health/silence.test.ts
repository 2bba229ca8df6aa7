import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
import { HEALTH_LIMITS } from '../../../src/health/limits.ts';
import { silenceOf } from '../../../src/health/silence.ts';
import { ago, DAY, GONE, HOUR, look, MINUTE, NOW, SECOND, silentFor, worker } from './support/world.ts';

const NOT_STARTED: Partial<HealthEvidence> = {
  state: 'spawned',
  agent: { kind: 'none' },
  sessionFile: 'missing',
  output: 'none',
};

/** The evidence of a condition that has lasted this long. */
const lasting: Record<string, (ms: number) => HealthEvidence> = {
  'not started': (ms) => worker({ ...NOT_STARTED, spawnedAt: ago(ms), stateSince: ago(ms) }),
  thinking: (ms) => silentFor(ms),
  'thinking after a tool': (ms) => silentFor(ms, { agent: { kind: 'tool_ended', at: ago(ms) } }),
  'in a tool': (ms) => silentFor(ms, { tool: { since: ago(ms) } }),
  'in a tool, by its last event': (ms) => silentFor(ms, { agent: { kind: 'tool_started', at: ago(ms) } }),
  'perhaps in a tool': (ms) => silentFor(ms, { tool: 'unavailable' }),
  'unseen by its events': (ms) => silentFor(ms, { agent: 'unavailable' }),
};

describe('suspicion begins exactly at the limit of what it is doing', () => {
  test.each<[string, number]>([
    ['not started', 300 * SECOND],
    ['thinking', 600 * SECOND],
    ['thinking after a tool', 600 * SECOND],
    ['in a tool', 2 * HOUR],
    ['in a tool, by its last event', 2 * HOUR],
    ['perhaps in a tool', 2 * HOUR],
    ['unseen by its events', 2 * HOUR],
  ])('%s: after %i ms', (condition, limit) => {
    const evidence = lasting[condition];
    expect(look(evidence?.(limit - 1) ?? worker()).next).toBe('leave_alone');
    expect(look(evidence?.(limit) ?? worker()).next).toBe('flag');
  });

  test('idle without a report: at once', () => {
    const idle = worker({ agent: { kind: 'turn_ended', at: NOW } });
    expect(look(idle)).toMatchObject({ verdict: 'suspicious', state: 'idle', next: 'flag' });
  });

  test('gone without a report: at once', () => {
    expect(look(worker({ process: { ...GONE, since: NOW } }))).toMatchObject({ state: 'gone', next: 'flag' });
  });

  test.each([HOUR, DAY, 400 * DAY])('waiting for a person: never, not after %i ms', (ms) => {
    const judgement = look(silentFor(ms, { state: 'waiting-user', stateSince: ago(ms), process: GONE }));
    expect(judgement).toMatchObject({ verdict: 'waiting', state: 'waiting_user', until: 'person' });
    expect(['leave_alone', 'remind']).toContain(judgement.next);
  });
});

describe('what counts as heard of', () => {
  const silent = { agent: { kind: 'text', at: ago(HOUR) }, sessionFile: { at: ago(HOUR) } } as const;
  test.each<[string, Partial<HealthEvidence>]>([
    ['an agent event', { agent: { kind: 'usage', at: ago(MINUTE) } }],
    ['a write to the session file', { sessionFile: { at: ago(MINUTE) } }],
    ['a checkpoint', { checkpoint: { at: ago(MINUTE) } }],
    ['waking from a wait', { stateSince: ago(MINUTE) }],
    ['a cleared flag', { suspicion: { flagged: false, clearedAt: ago(MINUTE) } }],
  ])('%s', (_, change) => {
    expect(look(worker({ ...silent, ...change }))).toMatchObject({ verdict: 'healthy', next: 'leave_alone' });
  });

  test('a tool the host saw start, though its event never came', () => {
    const lost = { agent: { kind: 'text', at: ago(3 * HOUR) }, sessionFile: { at: ago(3 * HOUR) } } as const;
    const longAgo = { ...lost, spawnedAt: ago(DAY), stateSince: ago(DAY) };
    expect(look(worker({ ...longAgo, tool: { since: ago(HOUR) } })).next).toBe('leave_alone');
    expect(look(worker({ ...longAgo, tool: { since: ago(2 * HOUR) } })).next).toBe('flag');
  });

  test('a stale session file alone is not silence while events come: perhaps we look at the wrong file', () => {
    expect(look(worker({ sessionFile: { at: ago(DAY) } })).verdict).toBe('healthy');
  });

  test('a new child process does not put suspicion off: a dead session may still start some', () => {
    expect(look(worker({ ...silent, children: { count: 2, newestAt: NOW } })).next).toBe('flag');
  });
});

describe('what it is doing', () => {
  test.each<[string, Partial<HealthEvidence>, string]>([
    [
      'a tool in the background outlives the turn',
      { agent: { kind: 'turn_ended', at: NOW }, tool: { since: ago(HOUR) } },
      'in_tool',
    ],
    [
      'a turn that ended before it was woken is not idleness',
      { agent: { kind: 'turn_ended', at: ago(HOUR) }, stateSince: ago(MINUTE) },
      'thinking',
    ],
    [
      'an adopted worker whose events were not kept is unclear, not unstarted',
      { agent: { kind: 'none' } },
      'unclear',
    ],
    [
      'what ended before it was woken is not the process it was woken for',
      { process: { ...GONE, since: ago(HOUR) }, stateSince: ago(MINUTE) },
      'not_started',
    ],
    [
      'a pid that is somebody else’s means ours is gone',
      { process: { state: 'alive', identity: 'differs' } },
      'gone',
    ],
    [
      'a pid that cannot be checked may be ours',
      { process: { state: 'alive', identity: 'unchecked' } },
      'thinking',
    ],
    [
      'a spawn under way has not started',
      { process: { state: 'never_seen' }, state: 'spawned' },
      'not_started',
    ],
    ['an error event is followed by another try', { agent: { kind: 'error', at: NOW } }, 'thinking'],
  ])('%s', (_, change, condition) => {
    expect(look(worker(change)).state).toBe(condition);
  });
});

test('an idle worker that was cleared is not troubled again before the limit of thinking', () => {
  const idle = (clearedAgo: number) =>
    worker({
      agent: { kind: 'turn_ended', at: ago(HOUR) },
      stateSince: ago(DAY),
      suspicion: { flagged: false, clearedAt: ago(clearedAgo) },
    });
  expect(look(idle(599 * SECOND)).next).toBe('leave_alone');
  expect(look(idle(600 * SECOND)).next).toBe('flag');
});

test('a process that is gone and stirred once more is looked at again after a heartbeat', () => {
  const gone = (clearedAgo: number) =>
    worker({
      process: { ...GONE, since: ago(HOUR) },
      suspicion: { flagged: false, clearedAt: ago(clearedAgo) },
    });
  expect(look(gone(59 * SECOND))).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
  expect(look(gone(60 * SECOND)).next).toBe('flag');
});

test('the states with rules of their own have no silence limit', () => {
  for (const state of ['reporting', 'waiting-user', 'waiting-quota', 'finished'] as const) {
    expect(silenceOf({ evidence: worker({ state }), limits: HEALTH_LIMITS }).limit).toBe(
      Number.POSITIVE_INFINITY,
    );
  }
});
