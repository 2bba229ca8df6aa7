import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import type { HealthStep, HealthVerdict } from '../../../src/core/health/judgement.ts';
import { broken } from './support/safety.ts';
import {
  ago,
  DAY,
  examined,
  flagged,
  GONE,
  HOUR,
  look,
  MINUTE,
  NOW,
  SECOND,
  silentFor,
  worker,
} from './support/world.ts';

const IDLE = { agent: { kind: 'turn_ended', at: ago(20 * MINUTE) } } as const;
const LOOKED = { suspicion: flagged(ago(4 * MINUTE), examined(ago(3 * MINUTE))) };
const MUTE = { state: 'spawned', agent: { kind: 'none' }, sessionFile: 'missing', output: 'none' } as const;

/**
 * One situation for each verdict and each step, to show that every verdict and step can be reached.
 */
const VERDICTS: Record<HealthVerdict, HealthEvidence> = {
  healthy: worker(),
  starting: worker({ ...MUTE, spawnedAt: ago(MINUTE), stateSince: ago(MINUTE) }),
  waiting: worker({ state: 'waiting-user' }),
  suspicious: silentFor(HOUR),
  crashed: silentFor(HOUR, LOOKED),
  never_started: silentFor(HOUR, { ...MUTE, ...LOOKED }),
  lost_message: worker({ process: GONE, report: { where: 'outbox', since: ago(MINUTE) } }),
  misplaced: worker({ workspace: 'no', ...LOOKED }),
  zombie: worker({ state: 'finished' }),
  corrupt: worker({ spawnedAt: -1 }),
  ended: worker({ state: 'stopped', process: GONE }),
  unknown: worker({ process: 'unavailable', agent: 'unavailable', sessionFile: 'unavailable' }),
};

const STEPS: Record<HealthStep, HealthEvidence> = {
  leave_alone: worker(),
  flag: silentFor(HOUR),
  probe_ask: silentFor(HOUR, { ...IDLE, suspicion: flagged(ago(SECOND)) }),
  examine: silentFor(HOUR, { suspicion: flagged(ago(SECOND)) }),
  clear: silentFor(HOUR, { ...LOOKED, sessionFile: { at: ago(SECOND) } }),
  confirm_crash: silentFor(HOUR, LOOKED),
  replace_once: silentFor(HOUR, { ...MUTE, ...LOOKED }),
  dispatch: silentFor(HOUR, { ...LOOKED, process: GONE, workspace: 'no', sessionFile: 'missing' }),
  recover_report: worker({ state: 'reporting' }),
  hold_for_quota: worker({ process: GONE, rateLimit: { seenAt: ago(SECOND), resetAt: NOW + HOUR } }),
  resume_after_quota: worker({
    state: 'waiting-quota',
    rateLimit: { seenAt: ago(HOUR), resetAt: ago(MINUTE) },
  }),
  remind: worker({ state: 'waiting-user', stateSince: ago(2 * DAY) }),
  ask_person: silentFor(HOUR, { ...LOOKED, children: { count: 2, newestAt: NOW } }),
  report_corruption: worker({ spawnedAt: -1 }),
  stop_and_report: worker({ workspace: 'no', ...LOOKED }),
  reap_at_cleanup: worker({ state: 'crashed' }),
};

test.each(Object.entries(VERDICTS))('reaches the verdict %s with an explanation', (verdict, evidence) => {
  const judgement = look(evidence);
  expect(judgement.verdict).toBe(verdict);
  expect(broken(evidence, NOW, judgement)).toEqual([]);
});

test.each(Object.entries(STEPS))('reaches the step %s with an explanation', (step, evidence) => {
  const judgement = look(evidence);
  expect(judgement.next).toBe(step);
  expect(broken(evidence, NOW, judgement)).toEqual([]);
});

describe('a judgement', () => {
  test('lists the facts as names and values, including unreadable ones', () => {
    expect(look(silentFor(20 * MINUTE, { ...LOOKED, checkpoint: 'unavailable' })).evidence).toEqual([
      'state=executing since 1.3 h ago',
      'dispatched=1.3 h ago',
      'process=alive, identity matches',
      'agent=text 20 min ago',
      'tool=none',
      'cpu=5 s, 0 ms since the flag',
      'children=1',
      'session_file=20 min ago',
      'report=none',
      'checkpoint=unavailable',
      'rate_limit=none',
      'output=text',
      'workspace=yes',
      'flag=raised 4 min ago, probe sent 3 min ago',
    ]);
  });

  test('gives its reason in one sentence with the numbers', () => {
    expect(look(silentFor(20 * MINUTE, LOOKED)).why).toBe(
      'It has been silent for 20 min; it was probed and showed no activity for 3 min (cpu, session_file agree).',
    );
    expect(
      look(worker({ process: { state: 'gone', since: ago(SECOND), exit: { code: 0, signal: null } } })).why,
    ).toBe('Its process exited with code 0 and it left no report, which is suspicious.');
  });

  test('states what would change it and when the next check takes place', () => {
    const judgement = look(silentFor(9 * MINUTE));
    expect(judgement.wouldChange).toBe('Silence for another 1 min would make it suspicious.');
    expect(judgement.lookAgainAt).toBe(NOW + MINUTE);
  });
});

test('an exit with code 0 but without a report is judged by the evidence and is never taken as done', () => {
  const exited = { state: 'gone', since: ago(10 * SECOND), exit: { code: 0, signal: null } } as const;
  expect(look(worker({ process: exited })).next).toBe('flag');
  const looked = flagged(ago(9 * SECOND), examined(ago(8 * SECOND)));
  const later = worker({
    process: exited,
    suspicion: looked,
    agent: { kind: 'turn_ended', at: ago(11 * SECOND) },
    sessionFile: { at: ago(11 * SECOND) },
  });
  expect(look(later)).toMatchObject({
    verdict: 'crashed',
    next: 'confirm_crash',
    grounds: ['process', 'report'],
  });
});

test('a healthy worker is still checked on every heartbeat, because a wake-up may be lost', () => {
  const inTool = worker({ tool: { since: ago(MINUTE) } });
  for (const evidence of [worker(), inTool]) expect(look(evidence).lookAgainAt).toBe(NOW + MINUTE);
});

test('judging does not change the evidence', () => {
  const frozen = Object.freeze(silentFor(HOUR, LOOKED));
  expect(look(frozen)).toEqual(look(silentFor(HOUR, LOOKED)));
});
