import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import { setFlag } from '../../../src/core/health/suspicion.ts';
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
  test('only sets the flag, even if all evidence indicates a crash', () => {
    expect(look(silentFor(DAY, { output: 'empty' })).next).toBe('flag');
    expect(look(worker({ process: GONE, sessionFile: 'missing' })).next).toBe('flag');
  });

  test('records the phase, the time and the CPU time', () => {
    expect(setFlag(worker({ cpu: { usedMs: 7 } }), NOW)).toEqual({
      flagged: true,
      since: NOW,
      phase: 'implement',
      cpuMs: 7,
      probe: { state: 'not_sent' },
    });
    expect(setFlag(worker({ cpu: 'unavailable' }), NOW)).toMatchObject({ cpuMs: 'unavailable' });
  });

  test('clears a flag that was set in another phase, without evaluating it', () => {
    const judgement = look(hanging({ phase: 'retro' }));
    expect(judgement).toMatchObject({ next: 'clear' });
    expect(judgement.why).toContain('another phase');
  });
});

describe('step two, probe', () => {
  test('sends a question to an idle session', () => {
    expect(look(idling({ state: 'not_sent' })).next).toBe('probe_ask');
  });

  test.each<[string, Partial<HealthEvidence>]>([
    ['thinking', {}],
    [
      'running a tool',
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
      'unreadable',
      {
        agent: 'unavailable',
        sessionFile: 'unavailable',
        spawnedAt: ago(3 * HOUR),
        stateSince: ago(3 * HOUR),
      },
    ],
  ])('examines a session that is %s, and never prompts it', (_, change) => {
    expect(look(hanging(change, { state: 'not_sent' })).next).toBe('examine');
  });

  test('examines the session if a question could not be delivered', () => {
    expect(look(idling({ state: 'failed', at: NOW, how: 'ask' }, {}, MINUTE)).next).toBe('examine');
  });

  test('repeats a failed examination after 30 s', () => {
    const failed = (at: number) => look(hanging({}, { state: 'failed', at, how: 'examine' }));
    expect(failed(ago(29 * SECOND))).toMatchObject({ next: 'leave_alone', lookAgainAt: NOW + SECOND });
    expect(failed(ago(30 * SECOND)).next).toBe('examine');
  });

  test('asks a person instead of killing if no probe can ever run', () => {
    const { last } = course({ seen: () => hanging(), probe: () => 'fails' }, DAY);
    expect(last).toMatchObject({ verdict: 'unknown', next: 'ask_person', until: 'person' });
  });

  test('asks an idle worker at most twice, then asks a person', () => {
    expect(look(idling({ state: 'not_sent' }, { questionsAsked: 1 })).next).toBe('probe_ask');
    expect(look(idling({ state: 'not_sent' }, { questionsAsked: 2 }))).toMatchObject({
      next: 'ask_person',
      until: 'person',
    });
    const told = idling({ state: 'not_sent' }, { questionsAsked: 2, personToldAt: ago(MINUTE) });
    expect(look(told)).toMatchObject({ next: 'leave_alone', until: 'person' });
  });

  test('ignores an answer older than the flag', () => {
    expect(look(idling({ state: 'answered', at: ago(HOUR) })).next).toBe('probe_ask');
  });
});
