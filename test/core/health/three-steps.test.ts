import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
import { raiseFlag } from '../../../src/health/suspicion.ts';
import { course } from './support/course.ts';
import {
  ago,
  DAY,
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

describe('step one, flag', () => {
  test('only flags, whatever else speaks for death', () => {
    expect(look(silentFor(DAY, { output: 'empty' })).next).toBe('flag');
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
    const judgement = look(hanging({ phase: 'retro' }));
    expect(judgement).toMatchObject({ next: 'clear' });
    expect(judgement.why).toContain('another phase');
  });
});

describe('step two, probe', () => {
  test('an idle session gets a question', () => {
    expect(look(idling({ state: 'not_sent' })).next).toBe('probe_ask');
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
    expect(look(hanging(change, { state: 'not_sent' })).next).toBe('examine');
  });

  test('a question that could not be put is followed by a look', () => {
    expect(look(idling({ state: 'failed', at: NOW, how: 'ask' }, {}, MINUTE)).next).toBe('examine');
  });

  test('a look that could not be taken is taken again after 30 s', () => {
    const failed = (at: number) => look(hanging({}, { state: 'failed', at, how: 'examine' }));
    expect(failed(ago(29 * SECOND))).toMatchObject({ next: 'leave_alone', lookAgainAt: NOW + SECOND });
    expect(failed(ago(30 * SECOND)).next).toBe('examine');
  });

  test('probes that never run end with a person, not with a kill', () => {
    const { last } = course({ seen: () => hanging(), probe: () => 'fails' }, DAY);
    expect(last).toMatchObject({ verdict: 'unknown', next: 'ask_person', until: 'person' });
  });

  test('an idle worker is asked twice at most, then a person is', () => {
    expect(look(idling({ state: 'not_sent' }, { questionsAsked: 1 })).next).toBe('probe_ask');
    expect(look(idling({ state: 'not_sent' }, { questionsAsked: 2 }))).toMatchObject({
      next: 'ask_person',
      until: 'person',
    });
    const told = idling({ state: 'not_sent' }, { questionsAsked: 2, personToldAt: ago(MINUTE) });
    expect(look(told)).toMatchObject({ next: 'leave_alone', until: 'person' });
  });

  test('an answer older than the flag answers nothing', () => {
    expect(look(idling({ state: 'answered', at: ago(HOUR) })).next).toBe('probe_ask');
  });
});
