import { describe, expect, test } from 'vitest';
import type { HealthEvidence, Probe } from '../../src/health/evidence.ts';
import { raiseFlag } from '../../src/health/three-steps.ts';
import {
  ago,
  asked,
  course,
  DAY,
  ENDING,
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
} from './world.ts';

/** Silent and idle; flagged, asked, and nothing has stirred since. */
function idleAnd(
  probe: Probe,
  change: Partial<HealthEvidence> = {},
  flaggedAgo = 10 * MINUTE,
): HealthEvidence {
  return silentFor(20 * MINUTE, {
    agent: { kind: 'turn_ended', at: ago(20 * MINUTE) },
    suspicion: flagged(ago(flaggedAgo), probe),
    ...change,
  });
}

/** Silent in the middle of a turn; flagged, examined, and nothing has stirred since. */
function hangsAnd(
  change: Partial<HealthEvidence> = {},
  probe: Probe = examined(ago(3 * MINUTE)),
): HealthEvidence {
  return silentFor(20 * MINUTE, { suspicion: flagged(ago(4 * MINUTE), probe), ...change });
}

describe('step one, flag', () => {
  test('only flags, whatever else speaks for death', () => {
    expect(look(silentFor(DAY, { transport: 'broken', output: 'empty' })).next).toBe('flag');
    expect(look(worker({ process: GONE, sessionFile: 'missing' })).next).toBe('flag');
  });

  test('remembers the phase, the time and the CPU time', () => {
    expect(raiseFlag(worker({ cpu: { usedMs: 7 } }), NOW)).toEqual({
      flagged: true,
      since: NOW,
      phase: 'implement',
      cpuMs: 7,
      probe: { state: 'not_sent' },
    });
    expect(raiseFlag(worker({ cpu: 'unavailable' }), NOW)).toMatchObject({ cpuMs: 'unavailable' });
  });

  test('a flag of another phase is cleared, not evaluated', () => {
    const judgement = look(hangsAnd({ phase: 'retro' }));
    expect(judgement).toMatchObject({ next: 'clear' });
    expect(judgement.why).toContain('another phase');
  });
});

describe('step two, probe', () => {
  test('an idle session gets a question', () => {
    expect(look(idleAnd({ state: 'not_sent' })).next).toBe('probe_ask');
  });

  test.each<[string, Partial<HealthEvidence>]>([
    ['thinking', {}],
    [
      'in a tool',
      {
        tool: { since: ago(3 * HOUR) },
        agent: { kind: 'tool_started', at: ago(3 * HOUR) },
        sessionFile: { at: ago(3 * HOUR) },
        spawnedAt: ago(4 * HOUR),
        stateSince: ago(4 * HOUR),
      },
    ],
    ['not started', { state: 'spawned', agent: { kind: 'none' }, sessionFile: 'missing', output: 'none' }],
    ['gone', { process: GONE }],
    [
      'unseen',
      {
        agent: 'unavailable',
        sessionFile: 'unavailable',
        spawnedAt: ago(3 * HOUR),
        stateSince: ago(3 * HOUR),
      },
    ],
  ])('a session that is %s is examined, never prompted', (_, change) => {
    expect(look(hangsAnd(change, { state: 'not_sent' })).next).toBe('examine');
  });

  test('a question that could not be put is followed by a look', () => {
    expect(look(idleAnd({ state: 'failed', at: NOW, how: 'ask' }, {}, MINUTE)).next).toBe('examine');
  });

  test('a look that could not be taken is taken again after 30 s', () => {
    const failed = (at: number) => look(hangsAnd({}, { state: 'failed', at, how: 'examine' }));
    expect(failed(ago(29 * SECOND))).toMatchObject({ next: 'leave_alone', lookAgainAt: NOW + SECOND });
    expect(failed(ago(30 * SECOND)).next).toBe('examine');
  });

  test('probes that never run end with a person, not with a kill', () => {
    const { last } = course({ seen: () => hangsAnd(), probe: () => 'fails' }, DAY);
    expect(last).toMatchObject({ verdict: 'unknown', next: 'ask_person', until: 'person' });
  });

  test('an idle worker is asked twice at most, then a person is', () => {
    expect(look(idleAnd({ state: 'not_sent' }, { questionsAsked: 1 })).next).toBe('probe_ask');
    expect(look(idleAnd({ state: 'not_sent' }, { questionsAsked: 2 }))).toMatchObject({
      next: 'ask_person',
      until: 'person',
    });
    const told = idleAnd({ state: 'not_sent' }, { questionsAsked: 2, personToldAt: ago(MINUTE) });
    expect(look(told)).toMatchObject({ next: 'leave_alone', until: 'person' });
  });

  test('an answer older than the flag answers nothing', () => {
    expect(look(idleAnd({ state: 'answered', at: ago(HOUR) })).next).toBe('probe_ask');
  });
});

describe('step three, evaluate', () => {
  test('an answer clears the flag', () => {
    expect(look(idleAnd({ state: 'answered', at: ago(MINUTE) }))).toMatchObject({
      verdict: 'healthy',
      next: 'clear',
    });
  });

  test('silence for 120 s after the question, and nothing else stirring, confirms the crash', () => {
    expect(look(idleAnd(asked(ago(120 * SECOND - 1)))).next).toBe('leave_alone');
    const judgement = look(idleAnd(asked(ago(120 * SECOND))));
    expect(judgement).toMatchObject({ verdict: 'crashed', next: 'confirm_crash' });
    expect(judgement.grounds).toEqual(expect.arrayContaining(['cpu', 'session_file', 'screen']));
  });

  test('a busy one is confirmed by 120 s in which CPU, screen and session file stand still', () => {
    expect(look(hangsAnd({}, examined(ago(120 * SECOND - 1)))).next).toBe('leave_alone');
    expect(look(hangsAnd({}, examined(ago(120 * SECOND)))).next).toBe('confirm_crash');
  });

  test('an idle one that was only looked at gets 30 min: standing still is its nature', () => {
    const onlyLooked = (later: number) => look(idleAnd(examined(ago(0)), {}, SECOND), NOW + later).next;
    expect(onlyLooked(30 * MINUTE - 1)).toBe('leave_alone');
    expect(onlyLooked(30 * MINUTE)).toBe('confirm_crash');
  });

  test('a process that is gone needs a second look, 5 s after it was first seen gone', () => {
    const gone = (since: number) =>
      look(hangsAnd({ process: { ...GONE, since } }, asked(ago(3 * MINUTE)))).next;
    expect(gone(ago(5 * SECOND - 1))).toBe('leave_alone');
    expect(gone(ago(5 * SECOND))).toBe('confirm_crash');
  });

  test('one that never began to speak is replaced', () => {
    const mute = hangsAnd({
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
    ['a change of the screen', { screen: { changedAt: ago(MINUTE) } }],
  ])('%s since the flag clears it', (_, change) => {
    expect(look(hangsAnd(change))).toMatchObject({ verdict: 'healthy', next: 'clear' });
    expect(look(hangsAnd({ process: GONE, ...change })).next).toBe('clear');
  });

  test('the few milliseconds of CPU an idle runtime uses are no sign of life', () => {
    expect(look(hangsAnd({ cpu: { usedMs: 5_499 } })).next).toBe('confirm_crash');
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

describe('what a source that cannot be read never does', () => {
  test.each<[string, Partial<HealthEvidence>, string]>([
    ['process list', { process: 'unavailable' }, 'a look at its process'],
    [
      'start time of the process',
      { process: { state: 'alive', identity: 'unchecked' } },
      'a look at its process',
    ],
    ['CPU time', { cpu: 'unavailable' }, 'its CPU time since the flag'],
    [
      'CPU time at the flag',
      {
        suspicion: {
          ...flagged(ago(4 * MINUTE), examined(ago(3 * MINUTE))),
          cpuMs: 'unavailable',
        } as HealthEvidence['suspicion'],
      },
      'its CPU time since the flag',
    ],
    ['report', { report: 'unavailable' }, 'a look for its report'],
    ['workspace', { workspace: 'unavailable' }, 'a look at its workspace'],
    [
      'everything beside the CPU',
      { sessionFile: 'unavailable', screen: 'unavailable', transport: 'unavailable' },
      'a second independent source',
    ],
  ])('%s: unknown, with what is needed, and a person after 30 min', (_, change, needed) => {
    const judgement = look(hangsAnd(change));
    expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
    expect(judgement.why).toContain(needed);
    const longFlagged = { ...hangsAnd(change) };
    const suspicion = longFlagged.suspicion.flagged
      ? { ...longFlagged.suspicion, since: ago(19 * MINUTE) }
      : longFlagged.suspicion;
    expect(ENDING.has(look({ ...longFlagged, suspicion }).next)).toBe(false);
    const later = look({ ...longFlagged, suspicion }, NOW + 11 * MINUTE);
    expect(later).toMatchObject({ verdict: 'unknown', next: 'ask_person' });
  });

  test('a process list that cannot be read clears no flag either', () => {
    const dark = worker({
      process: 'unavailable',
      agent: 'unavailable',
      sessionFile: 'unavailable',
      screen: 'unavailable',
      suspicion: flagged(ago(MINUTE), examined(ago(50 * SECOND))),
    });
    expect(look(dark).next).toBe('leave_alone');
    expect(look(dark, NOW + 10 * MINUTE)).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
  });

  test('a broken transport and a still CPU are enough where nothing else can be read', () => {
    const judgement = look(
      hangsAnd({ sessionFile: 'unavailable', screen: 'unavailable', transport: 'broken' }),
    );
    expect(judgement).toMatchObject({ next: 'confirm_crash', grounds: ['cpu', 'transport'] });
  });

  test('a process gone with its session file unreadable is still judged: the process and the report agree', () => {
    expect(look(hangsAnd({ process: GONE, sessionFile: 'unavailable' }))).toMatchObject({
      next: 'confirm_crash',
      grounds: ['process', 'report'],
    });
  });
});

describe('seen to be within its limit again', () => {
  test('a process that was reported gone and is there after all is cleared', () => {
    expect(look(worker({ suspicion: flagged(ago(SECOND), examined(ago(SECOND))) }))).toMatchObject({
      next: 'clear',
    });
  });

  test('a tool that was in flight all along clears the flag of thinking', () => {
    expect(look(hangsAnd({ tool: { since: ago(21 * MINUTE) } })).next).toBe('clear');
  });
});

test('silence before the daemon woke from its own sleep is nobody’s silence', () => {
  const slept = hangsAnd({ watchingSince: ago(90 * SECOND) }, examined(ago(8 * HOUR)));
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
