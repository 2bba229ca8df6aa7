/** Checks that failures of other orchestrators do not occur here, one case per lesson. */
import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import { judgeKill } from '../../../src/core/health/kill-record.ts';
import { verifyReport } from '../../../src/core/health/verify-report.ts';
import { course } from './support/course.ts';
import {
  ago,
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
} from './support/world.ts';

const STARTING = {
  state: 'spawned',
  agent: { kind: 'none' },
  sessionFile: 'missing',
  output: 'none',
} as const;
const LOOKED = { suspicion: flagged(ago(30 * MINUTE), examined(ago(29 * MINUTE))) };

describe('healthy workers', () => {
  test('are not replaced during a start that takes 150 s', () => {
    for (const seconds of [110, 120, 150, 299]) {
      const started = ago(seconds * SECOND);
      expect(look(worker({ ...STARTING, spawnedAt: started, stateSince: started }))).toMatchObject({
        verdict: 'starting',
        next: 'leave_alone',
      });
    }
  });

  test('are not suspicious while a tool runs for 100 min', () => {
    expect(look(silentFor(100 * MINUTE, { tool: { since: ago(100 * MINUTE) } }))).toMatchObject({
      verdict: 'healthy',
      next: 'leave_alone',
    });
  });

  test('are not suspicious after 5 min of silence', () => {
    expect(look(silentFor(5 * MINUTE))).toMatchObject({ verdict: 'healthy', next: 'leave_alone' });
  });

  test('are not flagged before the limit, even if checks run every 30 s', () => {
    const steps: string[] = [];
    for (let minute = 0; minute < 10; minute += 0.5) steps.push(look(silentFor(minute * MINUTE)).next);
    expect(new Set(steps)).toEqual(new Set(['leave_alone']));
  });

  test('are not killed when the process list cannot be read', () => {
    const fleet = Array.from({ length: 20 }, (_, n) =>
      silentFor(HOUR, {
        ...LOOKED,
        worker: `eng-${n}-implement`,
        process: 'unavailable',
        cpu: 'unavailable',
        children: 'unavailable',
      }),
    );
    const judgements = fleet.map((evidence) => look(evidence));
    expect(judgements.every(({ verdict }) => verdict === 'unknown')).toBe(true);
    expect(judgements.some(({ next }) => ENDING.has(next))).toBe(false);
  });

  test('are not stopped by a check at daemon start', () => {
    const everybody: Partial<HealthEvidence>[] = [
      {},
      LOOKED,
      { process: GONE },
      { process: 'unavailable' },
      { workspace: 'no' },
      STARTING,
      { output: 'empty' },
    ];
    for (const change of everybody) {
      expect(look(silentFor(DAY, { ...change, watchingSince: ago(SECOND) }))).toMatchObject({
        verdict: 'unknown',
        next: 'leave_alone',
      });
    }
  });

  test('that report after a kill prove that the kill was wrong, and the report is recovered', () => {
    const kill = {
      worker: 'eng-21-implement',
      attempt: 1,
      flaggedAt: ago(HOUR),
      killedAt: ago(MINUTE),
      evidence: [],
    };
    expect(judgeKill(kill, { reportAt: NOW, changeAt: 'none', agentEventAt: 'none' }, NOW, {}).verdict).toBe(
      'wrong',
    );
    const report = {
      phase: 'plan',
      attempt: 1,
      newestAttempt: 1,
      claims: 'done',
      lostSince: NOW,
      facts: { plan: 'yes' },
    } as const;
    expect(verifyReport(report, NOW, {}).step).toBe('synthesise_report');
  });

  test('may be silent in one source if another source shows activity', () => {
    expect(look(silentFor(HOUR, { sessionFile: { at: ago(MINUTE) } })).verdict).toBe('healthy');
    expect(look(silentFor(HOUR, { checkpoint: { at: ago(MINUTE) } })).verdict).toBe('healthy');
  });

  test('are not considered dead after the machine slept overnight', () => {
    const overnight = {
      suspicion: flagged(ago(8 * HOUR), examined(ago(8 * HOUR))),
      watchingSince: ago(61 * SECOND),
    };
    expect(ENDING.has(look(silentFor(9 * HOUR, overnight)).next)).toBe(false);
  });
});

describe('dead workers', () => {
  test('that never started do not occupy a slot for 10 hours', () => {
    const world = {
      seen: () => ({
        ...STARTING,
        spawnedAt: NOW,
        stateSince: NOW,
        children: { count: 0, newestAt: 'none' as const },
      }),
    };
    const { last, tookMs } = course(world, 10 * HOUR);
    expect(last.next).toBe('replace_once');
    expect(tookMs).toBeLessThan(10 * MINUTE);
  });

  test('that were being spawned when the daemon was killed are dispatched again', () => {
    const world = {
      seen: () => ({
        ...STARTING,
        process: { state: 'never_seen' as const },
        workspace: 'no' as const,
        spawnedAt: NOW,
        stateSince: NOW,
      }),
    };
    expect(course(world, DAY).last.next).toBe('dispatch');
  });

  test('that use CPU but make no progress are reported to a person once, not 19 times', () => {
    const stalled = silentFor(HOUR, { ...LOOKED, cpu: { usedMs: 1_000_000 } });
    expect(look(stalled).next).toBe('ask_person');
    const told = Array.from(
      { length: 19 },
      (_, n) => look({ ...stalled, personToldAt: NOW }, NOW + (n + 1) * MINUTE).next,
    );
    expect(new Set(told)).toEqual(new Set(['leave_alone']));
  });

  test('that exit after 1.8 s without output or report do not count as successful', () => {
    const ended = ago(7 * SECOND);
    const quick = {
      spawnedAt: ended - 1_800,
      stateSince: ended - 1_800,
      process: { state: 'gone', since: ended, exit: { code: 0, signal: null } },
      agent: { kind: 'turn_ended', at: ended },
      sessionFile: { at: ended },
      children: { count: 0, newestAt: 'none' },
      output: 'empty',
    } as const;
    expect(look(worker(quick))).toMatchObject({ verdict: 'suspicious', next: 'flag' });
    const looked = flagged(ago(6 * SECOND), examined(ago(5 * SECOND)));
    expect(look(worker({ ...quick, suspicion: looked })).next).toBe('confirm_crash');
  });

  test('with a corrupt record do not affect the next attempt', () => {
    expect(look(worker({ stateSince: Number.NaN })).next).toBe('report_corruption');
    expect(look(worker()).verdict).toBe('healthy');
  });
});
