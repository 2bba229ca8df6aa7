import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import {
  ago,
  asked,
  DAY,
  examined,
  flagged,
  GONE,
  HOUR,
  hanging,
  idling,
  look,
  MINUTE,
  NOW,
  SECOND,
  silentFor,
  worker,
} from './support/world.ts';

describe('step three, evaluate', () => {
  test('clears the flag if the worker answers', () => {
    expect(look(idling({ state: 'answered', at: ago(MINUTE) }))).toMatchObject({
      verdict: 'healthy',
      next: 'clear',
    });
  });

  test('confirms the crash after 120 s without an answer or other activity', () => {
    expect(look(idling(asked(ago(120 * SECOND - 1)))).next).toBe('leave_alone');
    const judgement = look(idling(asked(ago(120 * SECOND))));
    expect(judgement).toMatchObject({ verdict: 'crashed', next: 'confirm_crash' });
    expect(judgement.grounds).toEqual(expect.arrayContaining(['cpu', 'session_file']));
  });

  test('confirms the crash of a busy worker after 120 s without CPU use or session writes', () => {
    expect(look(hanging({}, examined(ago(120 * SECOND - 1)))).next).toBe('leave_alone');
    expect(look(hanging({}, examined(ago(120 * SECOND)))).next).toBe('confirm_crash');
  });

  test('waits 30 min if an idle worker was only inspected and not asked, because idle workers are silent', () => {
    const onlyLooked = (later: number) => look(idling(examined(ago(0)), {}, SECOND), NOW + later).next;
    expect(onlyLooked(30 * MINUTE - 1)).toBe('leave_alone');
    expect(onlyLooked(30 * MINUTE)).toBe('confirm_crash');
  });

  test('waits until a process has been gone for 5 s before it confirms the crash', () => {
    const gone = (since: number) =>
      look(hanging({ process: { ...GONE, since } }, asked(ago(3 * MINUTE)))).next;
    expect(gone(ago(5 * SECOND - 1))).toBe('leave_alone');
    expect(gone(ago(5 * SECOND))).toBe('confirm_crash');
  });

  test('replaces a worker that never sent an event', () => {
    const mute = hanging({
      state: 'spawned',
      agent: { kind: 'none' },
      sessionFile: 'missing',
      output: 'none',
    });
    expect(look(mute)).toMatchObject({ verdict: 'never_started', next: 'replace_once' });
  });

  test.each<[string, Partial<HealthEvidence>]>([
    ['an agent event', { agent: { kind: 'usage', at: ago(MINUTE) } }],
    ['a write to the session file', { sessionFile: { at: ago(MINUTE) } }],
    ['a checkpoint', { checkpoint: { at: ago(MINUTE) } }],
    ['a new tool', { tool: { since: ago(MINUTE) } }],
    ['CPU time', { cpu: { usedMs: 5_500 } }],
    ['a new child process', { children: { count: 1, newestAt: ago(MINUTE) } }],
  ])('clears the flag on %s', (_, change) => {
    expect(look(hanging(change))).toMatchObject({ verdict: 'healthy', next: 'clear' });
    expect(look(hanging({ process: GONE, ...change }))).toMatchObject({ verdict: 'unknown', next: 'clear' });
  });

  test('does not treat the few milliseconds of CPU time that an idle runtime uses as activity', () => {
    expect(look(hanging({ cpu: { usedMs: 5_499 } })).next).toBe('confirm_crash');
  });

  test('never kills a worker that uses CPU, but notifies a person once the hard limit has passed', () => {
    const spins = (ms: number, told: number | 'never' = 'never') =>
      look(
        silentFor(ms, {
          suspicion: flagged(ago(4 * MINUTE), examined(ago(3 * MINUTE))),
          cpu: { usedMs: 90_000 },
          personToldAt: told,
        }),
      );
    expect(spins(30 * MINUTE - 1).next).toBe('clear');
    expect(spins(30 * MINUTE)).toMatchObject({ verdict: 'suspicious', next: 'ask_person' });
    expect(spins(5 * HOUR, ago(HOUR)).next).toBe('leave_alone');
    expect(spins(5 * DAY, ago(DAY)).next).toBe('ask_person');
  });
});

describe('the flag of a worker that is back within its limit', () => {
  test('is cleared if the process was reported gone but exists', () => {
    expect(look(worker({ suspicion: flagged(ago(SECOND), examined(ago(SECOND))) }))).toMatchObject({
      next: 'clear',
    });
  });

  test('is cleared if the worker was flagged as thinking while a tool was running', () => {
    expect(look(hanging({ tool: { since: ago(21 * MINUTE) } })).next).toBe('clear');
  });
});

test('ignores silence while the daemon was asleep', () => {
  const slept = hanging({ watchingSince: ago(90 * SECOND) }, examined(ago(8 * HOUR)));
  const suspicion = flagged(ago(8 * HOUR), examined(ago(8 * HOUR)));
  const old = {
    ...slept,
    suspicion,
    agent: { kind: 'text', at: ago(9 * HOUR) },
    sessionFile: { at: ago(9 * HOUR) },
    screen: { changedAt: ago(9 * HOUR) },
    spawnedAt: ago(10 * HOUR),
    stateSince: ago(10 * HOUR),
    children: { count: 1, newestAt: ago(10 * HOUR) },
  } as const;
  expect(look(old).next).toBe('leave_alone');
  expect(look(old, NOW + 30 * SECOND).next).toBe('confirm_crash');
});
