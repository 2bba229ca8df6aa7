import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import { DEFAULT_HEALTH_LIMITS } from '../../../src/core/health/limits.ts';
import { computeSilence } from '../../../src/core/health/silence.ts';
import { ago, DAY, GONE, HOUR, look, MINUTE, NOW, SECOND, silentFor, worker } from './support/world.ts';

const NOT_STARTED: Partial<HealthEvidence> = {
  state: 'spawned',
  agent: { kind: 'none' },
  sessionFile: 'missing',
  output: 'none',
};

/** Builds evidence of a condition that has lasted this long. */
const lasting: Record<string, (ms: number) => HealthEvidence> = {
  'not started': (ms) => worker({ ...NOT_STARTED, spawnedAt: ago(ms), stateSince: ago(ms) }),
  thinking: (ms) => silentFor(ms),
  'thinking after a tool': (ms) => silentFor(ms, { agent: { kind: 'tool_ended', at: ago(ms) } }),
  'running a tool': (ms) => silentFor(ms, { tool: { since: ago(ms) } }),
  'running a tool, by its last event': (ms) =>
    silentFor(ms, { agent: { kind: 'tool_started', at: ago(ms) } }),
  'perhaps running a tool': (ms) => silentFor(ms, { tool: 'unavailable' }),
  'without readable events': (ms) => silentFor(ms, { agent: 'unavailable' }),
};

describe('suspicion starts exactly at the limit of each condition', () => {
  test.each<[string, number]>([
    ['not started', 300 * SECOND],
    ['thinking', 600 * SECOND],
    ['thinking after a tool', 600 * SECOND],
    ['running a tool', 2 * HOUR],
    ['running a tool, by its last event', 2 * HOUR],
    ['perhaps running a tool', 2 * HOUR],
    ['without readable events', 2 * HOUR],
  ])('%s: after %i ms', (condition, limit) => {
    const evidence = lasting[condition];
    expect(look(evidence?.(limit - 1) ?? worker()).next).toBe('leave_alone');
    expect(look(evidence?.(limit) ?? worker()).next).toBe('flag');
  });

  test('idle without a report: immediately', () => {
    const idle = worker({ agent: { kind: 'turn_ended', at: NOW } });
    expect(look(idle)).toMatchObject({ verdict: 'suspicious', state: 'idle', next: 'flag' });
  });

  test('gone without a report: immediately', () => {
    expect(look(worker({ process: { ...GONE, since: NOW } }))).toMatchObject({ state: 'gone', next: 'flag' });
  });

  test.each([HOUR, DAY, 400 * DAY])('waiting for a person: never, not even after %i ms', (ms) => {
    const judgement = look(silentFor(ms, { state: 'waiting-user', stateSince: ago(ms), process: GONE }));
    expect(judgement).toMatchObject({ verdict: 'waiting', state: 'waiting_user', until: 'person' });
    expect(['leave_alone', 'remind']).toContain(judgement.next);
  });
});

describe('activity that ends silence', () => {
  const silent = { agent: { kind: 'text', at: ago(HOUR) }, sessionFile: { at: ago(HOUR) } } as const;
  test.each<[string, Partial<HealthEvidence>]>([
    ['an agent event', { agent: { kind: 'usage', at: ago(MINUTE) } }],
    ['a write to the session file', { sessionFile: { at: ago(MINUTE) } }],
    ['a checkpoint', { checkpoint: { at: ago(MINUTE) } }],
    ['the end of a wait', { stateSince: ago(MINUTE) }],
    ['a cleared flag', { suspicion: { flagged: false, clearedAt: ago(MINUTE) } }],
  ])('%s', (_, change) => {
    expect(look(worker({ ...silent, ...change }))).toMatchObject({ verdict: 'healthy', next: 'leave_alone' });
  });

  test('includes a tool start that the host saw, even if the agent sent no event for it', () => {
    const lost = { agent: { kind: 'text', at: ago(3 * HOUR) }, sessionFile: { at: ago(3 * HOUR) } } as const;
    const longAgo = { ...lost, spawnedAt: ago(DAY), stateSince: ago(DAY) };
    expect(look(worker({ ...longAgo, tool: { since: ago(HOUR) } })).next).toBe('leave_alone');
    expect(look(worker({ ...longAgo, tool: { since: ago(2 * HOUR) } })).next).toBe('flag');
  });

  test('includes agent events, even if the session file is stale, because that may be the wrong file', () => {
    expect(look(worker({ sessionFile: { at: ago(DAY) } })).verdict).toBe('healthy');
  });

  test('does not include a new child process, because a dead session may still start child processes', () => {
    expect(look(worker({ ...silent, children: { count: 2, newestAt: NOW } })).next).toBe('flag');
  });
});

describe('the condition of a worker', () => {
  test.each<[string, Partial<HealthEvidence>, string]>([
    [
      'is in_tool if a background tool outlives the turn',
      { agent: { kind: 'turn_ended', at: NOW }, tool: { since: ago(HOUR) } },
      'in_tool',
    ],
    [
      'is not idle if the turn ended before the attempt was woken',
      { agent: { kind: 'turn_ended', at: ago(HOUR) }, stateSince: ago(MINUTE) },
      'thinking',
    ],
    [
      'is unclear instead of not_started for an adopted worker whose events were not kept',
      { agent: { kind: 'none' } },
      'unclear',
    ],
    [
      'is not_started if the old process ended before the attempt was woken',
      { process: { ...GONE, since: ago(HOUR) }, stateSince: ago(MINUTE) },
      'not_started',
    ],
    [
      'is gone if the pid belongs to another process',
      { process: { state: 'alive', identity: 'differs' } },
      'gone',
    ],
    [
      'is not gone if the pid cannot be checked',
      { process: { state: 'alive', identity: 'unchecked' } },
      'thinking',
    ],
    ['is not_started during a spawn', { process: { state: 'never_seen' }, state: 'spawned' }, 'not_started'],
    ['is thinking after an error event, which is retried', { agent: { kind: 'error', at: NOW } }, 'thinking'],
  ])('%s', (_, change, condition) => {
    expect(look(worker(change)).state).toBe(condition);
  });
});

test('an idle worker whose flag was cleared is not flagged again before the limit for thinking', () => {
  const idle = (clearedAgo: number) =>
    worker({
      agent: { kind: 'turn_ended', at: ago(HOUR) },
      stateSince: ago(DAY),
      suspicion: { flagged: false, clearedAt: ago(clearedAgo) },
    });
  expect(look(idle(599 * SECOND)).next).toBe('leave_alone');
  expect(look(idle(600 * SECOND)).next).toBe('flag');
});

test('a worker whose process is gone but whose flag was cleared is flagged again after a heartbeat', () => {
  const gone = (clearedAgo: number) =>
    worker({
      process: { ...GONE, since: ago(HOUR) },
      suspicion: { flagged: false, clearedAt: ago(clearedAgo) },
    });
  expect(look(gone(59 * SECOND))).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
  expect(look(gone(60 * SECOND)).next).toBe('flag');
});

test('states with their own rules, such as waiting, have no silence limit', () => {
  for (const state of ['reporting', 'waiting-user', 'waiting-quota', 'finished'] as const) {
    expect(computeSilence({ evidence: worker({ state }), limits: DEFAULT_HEALTH_LIMITS }).limit).toBe(
      Number.POSITIVE_INFINITY,
    );
  }
});
