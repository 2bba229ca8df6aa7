import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
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
  test('an answer clears the flag', () => {
    expect(look(idling({ state: 'answered', at: ago(MINUTE) }))).toMatchObject({
      verdict: 'healthy',
      next: 'clear',
    });
  });

  test('silence for 120 s after the question, and nothing else stirring, confirms the crash', () => {
    expect(look(idling(asked(ago(120 * SECOND - 1)))).next).toBe('leave_alone');
    const judgement = look(idling(asked(ago(120 * SECOND))));
    expect(judgement).toMatchObject({ verdict: 'crashed', next: 'confirm_crash' });
    expect(judgement.grounds).toEqual(expect.arrayContaining(['cpu', 'session_file']));
  });

  test('a busy one is confirmed by 120 s in which CPU and session file stand still', () => {
    expect(look(hanging({}, examined(ago(120 * SECOND - 1)))).next).toBe('leave_alone');
    expect(look(hanging({}, examined(ago(120 * SECOND)))).next).toBe('confirm_crash');
  });

  test('an idle one that was only looked at gets 30 min: standing still is its nature', () => {
    const onlyLooked = (later: number) => look(idling(examined(ago(0)), {}, SECOND), NOW + later).next;
    expect(onlyLooked(30 * MINUTE - 1)).toBe('leave_alone');
    expect(onlyLooked(30 * MINUTE)).toBe('confirm_crash');
  });

  test('a process that is gone needs a second look, 5 s after it was first seen gone', () => {
    const gone = (since: number) =>
      look(hanging({ process: { ...GONE, since } }, asked(ago(3 * MINUTE)))).next;
    expect(gone(ago(5 * SECOND - 1))).toBe('leave_alone');
    expect(gone(ago(5 * SECOND))).toBe('confirm_crash');
  });

  test('one that never began to speak is replaced', () => {
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
  ])('%s since the flag clears it', (_, change) => {
    expect(look(hanging(change))).toMatchObject({ verdict: 'healthy', next: 'clear' });
    expect(look(hanging({ process: GONE, ...change }))).toMatchObject({ verdict: 'unknown', next: 'clear' });
  });

  test('the few milliseconds of CPU an idle runtime uses are no sign of life', () => {
    expect(look(hanging({ cpu: { usedMs: 5_499 } })).next).toBe('confirm_crash');
  });

  test('a moving CPU never ends in a kill, but after the hard limit a person is told', () => {
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

describe('seen to be within its limit again', () => {
  test('a process that was reported gone and is there after all is cleared', () => {
    expect(look(worker({ suspicion: flagged(ago(SECOND), examined(ago(SECOND))) }))).toMatchObject({
      next: 'clear',
    });
  });

  test('a tool that was in flight all along clears the flag of thinking', () => {
    expect(look(hanging({ tool: { since: ago(21 * MINUTE) } })).next).toBe('clear');
  });
});

test('silence before the daemon woke from its own sleep is nobody’s silence', () => {
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
