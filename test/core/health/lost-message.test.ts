import { describe, expect, test } from 'vitest';
import {
  type LostReport,
  type PhaseProof,
  type ProofStatus,
  verifyReport,
} from '../../../src/core/health/verify-report.ts';
import { PHASES, type Phase } from '../../../src/core/model/mode.ts';
import {
  ALIVE,
  ago,
  examined,
  flagged,
  GONE,
  HOUR,
  look,
  MINUTE,
  NOW,
  SECOND,
  worker,
} from './support/world.ts';

describe('finding a lost message', () => {
  test.each(['received', 'done_flag', 'outbox'] as const)(
    'immediately treats a %s report as a lost message, not as a crash, if the process is gone',
    (where) => {
      const judgement = look(
        worker({
          process: GONE,
          report: { where, since: ago(SECOND) },
          suspicion: flagged(ago(HOUR), examined(ago(HOUR))),
        }),
      );
      expect(judgement).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
    },
  );

  test('gives the report of a running process 60 s to arrive', () => {
    const written = (ms: number) =>
      look(worker({ process: ALIVE, report: { where: 'outbox', since: ago(ms) } }));
    expect(written(60 * SECOND - 1)).toMatchObject({
      verdict: 'healthy',
      next: 'leave_alone',
      lookAgainAt: NOW + SECOND,
    });
    expect(written(60 * SECOND)).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('immediately finds a report that was recorded before monitoring started', () => {
    const given = { state: 'reporting', stateSince: ago(2 * SECOND) } as const;
    expect(look(worker({ ...given, watchingSince: ago(SECOND) }))).toMatchObject({
      verdict: 'lost_message',
      next: 'recover_report',
    });
    expect(look(worker({ ...given, watchingSince: ago(3 * SECOND) })).next).toBe('leave_alone');
  });

  test('treats a report as lost if the worker has been in the state "reporting" for 60 s', () => {
    const reporting = (ms: number) => look(worker({ state: 'reporting', stateSince: ago(ms) }));
    expect(reporting(60 * SECOND - 1)).toMatchObject({
      verdict: 'healthy',
      state: 'reporting',
      next: 'leave_alone',
    });
    expect(reporting(60 * SECOND)).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('finds a lost report at daemon start without waiting for the grace period', () => {
    const judgement = look(worker({ watchingSince: NOW, report: { where: 'outbox', since: ago(SECOND) } }));
    expect(judgement).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('finds a lost report even if its time is unreadable or in the future', () => {
    for (const since of [Number.NaN, -1, NOW + HOUR]) {
      expect(look(worker({ report: { where: 'outbox', since } })).next).toBe('recover_report');
      expect(look(worker({ state: 'reporting', stateSince: since })).next).toBe('recover_report');
    }
  });

  test('also finds the report of a worker that waits for a person', () => {
    expect(
      look(worker({ state: 'waiting-user', process: GONE, report: { where: 'outbox', since: ago(MINUTE) } }))
        .next,
    ).toBe('recover_report');
  });
});

describe('verifying a lost report by phase', () => {
  const lost = (
    phase: Phase,
    facts: Partial<Record<PhaseProof, ProofStatus>>,
    change: Partial<LostReport> = {},
  ) =>
    verifyReport(
      { phase, attempt: 1, newestAttempt: 1, claims: 'done', lostSince: ago(MINUTE), facts, ...change },
      NOW,
      {},
    );

  const proofs: [Phase, PhaseProof[]][] = [
    ['architect', ['specification']],
    ['plan', ['plan']],
    ['implement', ['commits', 'pull_request']],
    ['test', ['test_verdict']],
    ['review', ['review_at_head']],
    ['retro', ['retro_at_head']],
    ['merge', ['merged']],
  ];

  test('defines evidence for every phase', () => {
    expect(proofs.map(([phase]) => phase)).toEqual([...PHASES]);
  });

  test.each(proofs)('%s: accepts the report if %j exists', (phase, names) => {
    const all = Object.fromEntries(names.map((name) => [name, 'yes']));
    expect(lost(phase, all).step).toBe('synthesise_report');
  });

  test.each(proofs)('%s: reports an error if any of %j is missing', (phase, names) => {
    for (const missing of names) {
      const facts = Object.fromEntries(names.map((name) => [name, name === missing ? 'no' : 'yes']));
      const recovery = lost(phase, facts);
      expect(recovery.step).toBe('synthesise_error');
      expect(recovery.why).toContain(missing);
    }
  });

  test.each(proofs)('%s: probes if any of %j is unreadable and none is missing', (phase, names) => {
    for (const unread of names) {
      const facts = Object.fromEntries(names.filter((name) => name !== unread).map((name) => [name, 'yes']));
      expect(lost(phase, facts).step).toBe('probe');
      expect(lost(phase, { ...facts, [unread]: 'unknown' }).step).toBe('probe');
    }
  });

  test('asks a person if the report remains unverifiable for 30 min', () => {
    expect(lost('plan', {}, { lostSince: ago(30 * MINUTE) })).toMatchObject({
      step: 'ask_person',
      until: 'person',
    });
    expect(lost('plan', {}, { lostSince: Number.NaN })).toMatchObject({ step: 'ask_person' });
  });

  test('treats a lost report that claims an error as an error, even if the evidence of the phase exists', () => {
    expect(lost('plan', { plan: 'yes' }, { claims: 'error' }).step).toBe('synthesise_error');
  });

  test('records the report of an older attempt without acting on it', () => {
    expect(lost('plan', { plan: 'yes' }, { attempt: 1, newestAttempt: 2 }).step).toBe('record_only');
  });

  test('ignores evidence that belongs to another phase', () => {
    expect(lost('review', { commits: 'yes', pull_request: 'yes', test_verdict: 'yes' }).step).toBe('probe');
  });
});
