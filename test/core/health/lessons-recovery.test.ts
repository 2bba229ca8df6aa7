/** Checks that recovery failures of other orchestrators do not occur here, one case per lesson. */
import { describe, expect, test } from 'vitest';
import { decideBreakerStep } from '../../../src/core/health/breaker.ts';
import { decideRespawnStep } from '../../../src/core/health/respawn.ts';
import { decideStopStep } from '../../../src/core/health/stop-ladder.ts';
import { verifyReport } from '../../../src/core/health/verify-report.ts';
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
  silentFor,
  worker,
} from './support/world.ts';

describe('a quota refusal', () => {
  test('that ends in 63 s causes a wait of 63 s plus jitter, not of 2 h 13 min', () => {
    const limited = worker({
      state: 'waiting-quota',
      stateSince: NOW,
      rateLimit: { seenAt: NOW, resetAt: NOW + 63 * SECOND },
      process: GONE,
    });
    const { lookAgainAt = 0 } = look(limited);
    expect(lookAgainAt - NOW).toBeGreaterThanOrEqual(63 * SECOND);
    expect(lookAgainAt - NOW).toBeLessThan(80 * SECOND);
    expect(look(limited, lookAgainAt).next).toBe('resume_after_quota');
  });

  test('that makes an agent exit does not count as a crash of that agent', () => {
    const exited = silentFor(MINUTE, {
      process: GONE,
      rateLimit: { seenAt: ago(MINUTE), resetAt: NOW + HOUR },
      suspicion: flagged(ago(30 * MINUTE), examined(ago(29 * MINUTE))),
    });
    expect(look(exited)).toMatchObject({ verdict: 'waiting', next: 'hold_for_quota' });
  });
});

describe('finished work that the daemon has not noticed', () => {
  test('is found at daemon start if the worker finished while the daemon was down', () => {
    const finished = worker({
      process: GONE,
      report: { where: 'outbox', since: ago(HOUR) },
      watchingSince: NOW,
    });
    expect(look(finished)).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('is not treated as an error if the tracker cannot be read', () => {
    const report = {
      phase: 'merge',
      attempt: 1,
      newestAttempt: 1,
      claims: 'done',
      lostSince: NOW,
      facts: { merged: 'unknown' },
    } as const;
    expect(verifyReport(report, NOW, {}).step).toBe('probe');
  });
});

describe('the reaction to a crash', () => {
  const crash = {
    attempt: 1,
    failedAttempts: [{ startedAt: ago(HOUR), crashedAt: ago(MINUTE) }],
    remains: 'none',
    isBreakerOpen: false,
    session: 'resumable',
    hasCheckpoint: true,
  } as const;

  test('starts no replacement while the original may still be running', () => {
    expect(decideRespawnStep({ ...crash, remains: 'alive' }, NOW, {}).step).toBe('stop_remains');
    expect(decideRespawnStep(crash, NOW, {}).step).toBe('resume');
  });

  test('opens the breaker instead of restarting all workers together if the host kills them all', () => {
    const crashes = [0, 1, 2].map((n) => ({ worker: `eng-${n}-plan`, attempt: 1, at: ago(n * SECOND) }));
    expect(decideBreakerStep({ state: 'closed' }, crashes, NOW, {}).step).toBe('open');
  });

  test('leaves an unidentified orphan to the cleanup and never signals it by pid alone', () => {
    const facts = {
      process: { state: 'alive', identity: 'unchecked' },
      orderedAt: ago(HOUR),
      asked: { at: ago(HOUR) },
      extensions: 0,
      output: 'open',
      group: 'left',
    } as const;
    expect(decideStopStep(facts, NOW, {}).step).toBe('record_zombie');
    expect(decideStopStep({ ...facts, process: ALIVE }, NOW, {}).step).toBe('term_group');
  });
});
