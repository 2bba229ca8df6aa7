/** What went wrong in other orchestrators after something had died, one case a lesson. */
import { describe, expect, test } from 'vitest';
import { breaker } from '../../../src/core/health/breaker.ts';
import { stopLadder } from '../../../src/core/health/stop-ladder.ts';
import { verifyReport } from '../../../src/core/health/verify-report.ts';
import { respawn } from '../../../src/health/respawn.ts';
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

describe('quota', () => {
  test('a reset 63 s away is waited for 63 s and a little, not 2 h 13 min', () => {
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

  test('an agent that exits because of the quota has not crashed', () => {
    const exited = silentFor(MINUTE, {
      process: GONE,
      rateLimit: { seenAt: ago(MINUTE), resetAt: NOW + HOUR },
      suspicion: flagged(ago(30 * MINUTE), examined(ago(29 * MINUTE))),
    });
    expect(look(exited)).toMatchObject({ verdict: 'waiting', next: 'hold_for_quota' });
  });
});

describe('finished, and nobody learned of it', () => {
  test('a worker that finished while the daemon was away is found at its start', () => {
    const finished = worker({
      process: GONE,
      report: { where: 'outbox', since: ago(HOUR) },
      watchingSince: NOW,
    });
    expect(look(finished)).toMatchObject({ verdict: 'lost_message', next: 'recover_report' });
  });

  test('a tracker that cannot be read does not make a finished phase an error', () => {
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

describe('one death, one answer', () => {
  const crash = {
    attempt: 1,
    lives: [{ startedAt: ago(HOUR), crashedAt: ago(MINUTE) }],
    remains: 'none',
    isBreakerOpen: false,
    session: 'resumable',
    hasCheckpoint: true,
  } as const;

  test('no replacement starts while the original may still be at work', () => {
    expect(respawn({ ...crash, remains: 'alive' }, NOW, {}).step).toBe('stop_remains');
    expect(respawn(crash, NOW, {}).step).toBe('resume');
  });

  test('a host that kills everybody opens the breaker instead of a restart storm', () => {
    const crashes = [0, 1, 2].map((n) => ({ worker: `eng-${n}-plan`, attempt: 1, at: ago(n * SECOND) }));
    expect(breaker({ state: 'closed' }, crashes, NOW, {}).step).toBe('open');
  });

  test('an orphan is left to the cleanup by its identity, never signalled by its pid alone', () => {
    const facts = {
      process: { state: 'alive', identity: 'unchecked' },
      orderedAt: ago(HOUR),
      asked: { at: ago(HOUR) },
      answer: 'none',
      output: 'open',
      group: 'left',
    } as const;
    expect(stopLadder(facts, NOW, {}).step).toBe('record_zombie');
    expect(stopLadder({ ...facts, process: ALIVE }, NOW, {}).step).toBe('term_group');
  });
});
