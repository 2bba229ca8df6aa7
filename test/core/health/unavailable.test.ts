import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import { markProbeSent } from '../../../src/core/health/suspicion.ts';
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

describe('an unreadable source', () => {
  test.each<[string, Partial<HealthEvidence>, string]>([
    ['process list', { process: 'unavailable' }, 'the state of its process'],
    [
      'start time of the process',
      { process: { state: 'alive', identity: 'unchecked' } },
      'the state of its process',
    ],
    ['CPU time', { cpu: 'unavailable' }, 'its CPU time since it was flagged'],
    ['report', { report: 'unavailable' }, 'the state of its report'],
    ['workspace', { workspace: 'unavailable' }, 'the state of its workspace'],
    [
      'session file, which leaves the CPU time as the only evidence',
      { sessionFile: 'unavailable' },
      'a second independent source',
    ],
  ])(
    '(%s) makes the verdict unknown; the judgement states what is missing, and the case goes to a person after 30 min',
    (_, change, needed) => {
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
    },
  );

  test('(process list, agent events and session file) does not clear a flag', () => {
    const dark = worker({
      process: 'unavailable',
      agent: 'unavailable',
      sessionFile: 'unavailable',
      suspicion: flagged(ago(MINUTE), examined(ago(50 * SECOND))),
    });
    expect(look(dark).next).toBe('leave_alone');
    expect(look(dark, NOW + 10 * MINUTE)).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
  });

  test('(session file) does not prevent a crash verdict if empty output and an idle CPU both indicate a crash', () => {
    const judgement = look(hanging({ sessionFile: 'unavailable', output: 'empty' }));
    expect(judgement).toMatchObject({ next: 'confirm_crash', grounds: ['cpu', 'output'] });
  });

  test('(session file) does not prevent a crash verdict if the process and the report both indicate a crash', () => {
    expect(look(hanging({ process: GONE, sessionFile: 'unavailable' }))).toMatchObject({
      next: 'confirm_crash',
      grounds: ['process', 'report'],
    });
  });

  test('(session file) leaves the verdict unknown for a gone process without a workspace, because the worker may never have started', () => {
    const judgement = look(hanging({ process: GONE, workspace: 'no', sessionFile: 'unavailable' }));
    expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
    expect(judgement.why).toContain('the state of its workspace and session file');
  });

  test('(tool or events) prevents a crash verdict, because the longer limit may apply', () => {
    for (const change of [{ tool: 'unavailable' }, { agent: 'unavailable' }] as const) {
      const judgement = look(hanging(change));
      expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone', state: 'unclear' });
      expect(judgement.why).toContain('information about its activity');
    }
  });

  test('(CPU time when the flag was set) is replaced by the CPU time at a new probe, which is compared later', () => {
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
    const again = { ...evidence, suspicion: markProbeSent(flag, evidence, 'examine', NOW) };
    expect(look(again, NOW + MINUTE).next).toBe('leave_alone');
    expect(look(again, NOW + 2 * MINUTE).next).toBe('confirm_crash');
  });

  test('(CPU time) is replaced at a probe, but a CPU time that was readable when the flag was set is kept', () => {
    const flag = flagged(ago(4 * MINUTE));
    const evidence = hanging({ suspicion: flag, cpu: { usedMs: 6_000 } });
    const sent = flag.flagged ? markProbeSent(flag, evidence, 'examine', NOW) : flag;
    expect(look({ ...evidence, suspicion: sent }, NOW + 2 * MINUTE).next).toBe('clear');
  });
});
