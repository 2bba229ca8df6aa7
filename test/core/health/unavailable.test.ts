import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
import { probeSent } from '../../../src/health/suspicion.ts';
import {
  ago,
  ENDING,
  examined,
  flagged,
  GONE,
  hanging,
  look,
  MINUTE,
  NOW,
  SECOND,
  worker,
} from './support/world.ts';

describe('what a source that cannot be read never does', () => {
  test.each<[string, Partial<HealthEvidence>, string]>([
    ['process list', { process: 'unavailable' }, 'a look at its process'],
    [
      'start time of the process',
      { process: { state: 'alive', identity: 'unchecked' } },
      'a look at its process',
    ],
    ['CPU time', { cpu: 'unavailable' }, 'its CPU time since the flag'],
    ['report', { report: 'unavailable' }, 'a look for its report'],
    ['workspace', { workspace: 'unavailable' }, 'a look at its workspace'],
    ['everything beside the CPU', { sessionFile: 'unavailable' }, 'a second independent source'],
  ])('%s: unknown, with what is needed, and a person after 30 min', (_, change, needed) => {
    const judgement = look(hanging(change));
    expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
    expect(judgement.why).toContain(needed);
    const longFlagged = { ...hanging(change) };
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
      suspicion: flagged(ago(MINUTE), examined(ago(50 * SECOND))),
    });
    expect(look(dark).next).toBe('leave_alone');
    expect(look(dark, NOW + 10 * MINUTE)).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
  });

  test('an empty last output and a still CPU are enough where nothing else can be read', () => {
    const judgement = look(hanging({ sessionFile: 'unavailable', output: 'empty' }));
    expect(judgement).toMatchObject({ next: 'confirm_crash', grounds: ['cpu', 'output'] });
  });

  test('a process gone with its session file unreadable is still judged: the process and the report agree', () => {
    expect(look(hanging({ process: GONE, sessionFile: 'unavailable' }))).toMatchObject({
      next: 'confirm_crash',
      grounds: ['process', 'report'],
    });
  });

  test('gone with its workspace, and the session file unreadable: never started or impossible, so unknown', () => {
    const judgement = look(hanging({ process: GONE, workspace: 'no', sessionFile: 'unavailable' }));
    expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
    expect(judgement.why).toContain('a look at its workspace and session file');
  });

  test('a flag of thinking confirms nothing once it may be in a tool: the longer limit holds', () => {
    for (const change of [{ tool: 'unavailable' }, { agent: 'unavailable' }] as const) {
      const judgement = look(hanging(change));
      expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone', state: 'unclear' });
      expect(judgement.why).toContain('a look at what it is doing');
    }
  });

  test('a CPU time that could not be read at the flag is taken down by a new look, and compared later', () => {
    const probe = examined(ago(3 * MINUTE));
    const flag = {
      flagged: true,
      since: ago(4 * MINUTE),
      phase: 'implement',
      cpuMs: 'unavailable',
      probe,
    } as const;
    const evidence = hanging({ suspicion: flag });
    expect(look(evidence).next).toBe('examine');
    const again = { ...evidence, suspicion: probeSent(flag, evidence, 'examine', NOW) };
    expect(look(again, NOW + MINUTE).next).toBe('leave_alone');
    expect(look(again, NOW + 2 * MINUTE).next).toBe('confirm_crash');
  });

  test('a CPU time that was read at the flag is not forgotten by a later probe', () => {
    const flag = flagged(ago(4 * MINUTE));
    const evidence = hanging({ suspicion: flag, cpu: { usedMs: 6_000 } });
    const sent = flag.flagged ? probeSent(flag, evidence, 'examine', NOW) : flag;
    expect(look({ ...evidence, suspicion: sent }, NOW + 2 * MINUTE).next).toBe('clear');
  });
});
