import { describe, expect, test } from 'vitest';
import {
  type Fact,
  type LostReport,
  type Proof,
  verifyReport,
} from '../../../src/core/health/verify-report.ts';
import { PHASES, type Phase } from '../../../src/domain/mode.ts';
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
    'a %s report with its process gone is a lost message at once, not a crash',
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

  test('a report whose process lives has 60 s to arrive', () => {
    const written = (ms: number) =>
      look(worker({ process: ALIVE, report: { where: 'outbox', since: ago(ms) } }));
    expect(written(60 * SECOND - 1)).toMatchObject({
      verdict: 'healthy',
      next: 'leave_alone',
      lookAgainAt: NOW + SECOND,
    });
    expect(written(60 * SECOND)).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('a report that was taken down before our watch began is judged at once', () => {
    const given = { state: 'reporting', stateSince: ago(2 * SECOND) } as const;
    expect(look(worker({ ...given, watchingSince: ago(SECOND) }))).toMatchObject({
      verdict: 'lost_message',
      next: 'recover_report',
    });
    expect(look(worker({ ...given, watchingSince: ago(3 * SECOND) })).next).toBe('leave_alone');
  });

  test('reporting for more than 60 s is a lost message', () => {
    const reporting = (ms: number) => look(worker({ state: 'reporting', stateSince: ago(ms) }));
    expect(reporting(60 * SECOND - 1)).toMatchObject({
      verdict: 'healthy',
      state: 'reporting',
      next: 'leave_alone',
    });
    expect(reporting(60 * SECOND)).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('at the daemon’s start it is found at once, without waiting for the first minute to pass', () => {
    const judgement = look(worker({ watchingSince: NOW, report: { where: 'outbox', since: ago(SECOND) } }));
    expect(judgement).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('it is found also when its time cannot be read or lies ahead', () => {
    for (const since of [Number.NaN, -1, NOW + HOUR]) {
      expect(look(worker({ report: { where: 'outbox', since } })).next).toBe('recover_report');
      expect(look(worker({ state: 'reporting', stateSince: since })).next).toBe('recover_report');
    }
  });

  test('a report of a worker that waits for a person counts as well', () => {
    expect(
      look(worker({ state: 'waiting-user', process: GONE, report: { where: 'outbox', since: ago(MINUTE) } }))
        .next,
    ).toBe('recover_report');
  });
});

describe('verifying it by phase', () => {
  const lost = (phase: Phase, facts: Partial<Record<Proof, Fact>>, change: Partial<LostReport> = {}) =>
    verifyReport(
      { phase, attempt: 1, newestAttempt: 1, claims: 'done', lostSince: ago(MINUTE), facts, ...change },
      NOW,
      {},
    );

  const proofs: [Phase, Proof[]][] = [
    ['architect', ['specification']],
    ['plan', ['plan']],
    ['implement', ['commits', 'pull_request']],
    ['test', ['test_verdict']],
    ['review', ['review_at_head']],
    ['retro', ['retro_at_head']],
    ['merge', ['merged']],
  ];

  test('every phase has its proof', () => {
    expect(proofs.map(([phase]) => phase)).toEqual([...PHASES]);
  });

  test.each(proofs)('%s: believed when %j is there', (phase, names) => {
    const all = Object.fromEntries(names.map((name) => [name, 'yes']));
    expect(lost(phase, all).step).toBe('synthesise_report');
  });

  test.each(proofs)('%s: an error when any of %j is not there', (phase, names) => {
    for (const missing of names) {
      const facts = Object.fromEntries(names.map((name) => [name, name === missing ? 'no' : 'yes']));
      const recovery = lost(phase, facts);
      expect(recovery.step).toBe('synthesise_error');
      expect(recovery.why).toContain(missing);
    }
  });

  test.each(proofs)('%s: a probe when any of %j could not be read and none is refuted', (phase, names) => {
    for (const unread of names) {
      const facts = Object.fromEntries(names.filter((name) => name !== unread).map((name) => [name, 'yes']));
      expect(lost(phase, facts).step).toBe('probe');
      expect(lost(phase, { ...facts, [unread]: 'unknown' }).step).toBe('probe');
    }
  });

  test('what nobody could verify for 30 min goes to a person', () => {
    expect(lost('plan', {}, { lostSince: ago(30 * MINUTE) })).toMatchObject({
      step: 'ask_person',
      until: 'person',
    });
    expect(lost('plan', {}, { lostSince: Number.NaN })).toMatchObject({ step: 'ask_person' });
  });

  test('a report that says error is taken as an error', () => {
    expect(lost('plan', { plan: 'yes' }, { claims: 'error' }).step).toBe('synthesise_error');
  });

  test('a report of an older attempt is recorded and moves nothing', () => {
    expect(lost('plan', { plan: 'yes' }, { attempt: 1, newestAttempt: 2 }).step).toBe('record_only');
  });

  test('a proof of another phase proves nothing', () => {
    expect(lost('review', { commits: 'yes', pull_request: 'yes', test_verdict: 'yes' }).step).toBe('probe');
  });
});
