/** What went wrong in other orchestrators, one case a lesson. */
import { describe, expect, test } from 'vitest';
import { judgeKill } from '../../../src/core/health/kill-record.ts';
import { verifyReport } from '../../../src/core/health/verify-report.ts';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
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

describe('the living are not killed', () => {
  test('a healthy start of 150 s is not replaced', () => {
    for (const seconds of [110, 120, 150, 299]) {
      const started = ago(seconds * SECOND);
      expect(look(worker({ ...STARTING, spawnedAt: started, stateSince: started }))).toMatchObject({
        verdict: 'starting',
        next: 'leave_alone',
      });
    }
  });

  test('a tool of 100 min is not even suspicious', () => {
    expect(look(silentFor(100 * MINUTE, { tool: { since: ago(100 * MINUTE) } }))).toMatchObject({
      verdict: 'healthy',
      next: 'leave_alone',
    });
  });

  test('5 min of silence are not suspicious', () => {
    expect(look(silentFor(5 * MINUTE))).toMatchObject({ verdict: 'healthy', next: 'leave_alone' });
  });

  test('a check every 30 s never shortens the three steps', () => {
    const steps: string[] = [];
    for (let minute = 0; minute < 10; minute += 0.5) steps.push(look(silentFor(minute * MINUTE)).next);
    expect(new Set(steps)).toEqual(new Set(['leave_alone']));
  });

  test('a process list that could not be read kills none of 20 helpers', () => {
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

  test('a sweep at the daemon’s start stops nobody', () => {
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

  test('a completion report that comes after a kill shows the kill was wrong, and is recovered', () => {
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

  test('a message count that does not move proves nothing: events elsewhere count', () => {
    expect(look(silentFor(HOUR, { sessionFile: { at: ago(MINUTE) } })).verdict).toBe('healthy');
    expect(look(silentFor(HOUR, { checkpoint: { at: ago(MINUTE) } })).verdict).toBe('healthy');
  });

  test('a machine that slept for the night does not wake to a fleet of dead workers', () => {
    const overnight = {
      suspicion: flagged(ago(8 * HOUR), examined(ago(8 * HOUR))),
      watchingSince: ago(61 * SECOND),
    };
    expect(ENDING.has(look(silentFor(9 * HOUR, overnight)).next)).toBe(false);
  });
});

describe('the dead are not kept', () => {
  test('a worker that never started does not hold its slot for 10 hours', () => {
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

  test('a daemon killed in the middle of a spawn does not leave it preparing for ever', () => {
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

  test('a stalled worker is told to a person once, not nineteen times', () => {
    const stalled = silentFor(HOUR, { ...LOOKED, cpu: { usedMs: 1_000_000 } });
    expect(look(stalled).next).toBe('ask_person');
    const told = Array.from(
      { length: 19 },
      (_, n) => look({ ...stalled, personToldAt: NOW }, NOW + (n + 1) * MINUTE).next,
    );
    expect(new Set(told)).toEqual(new Set(['leave_alone']));
  });

  test('0 tool calls in 1.8 s are not success: ended without a report, output empty', () => {
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

  test('a poisoned record is reported and judged alone: the next attempt is judged as ever', () => {
    expect(look(worker({ stateSince: Number.NaN })).next).toBe('report_corruption');
    expect(look(worker()).verdict).toBe('healthy');
  });
});
