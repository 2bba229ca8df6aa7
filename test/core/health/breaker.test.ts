import { describe, expect, test } from 'vitest';
import {
  type BreakerState,
  decideBreakerStep,
  type HostCheckResult,
  type WorkerCrash,
} from '../../../src/core/health/breaker.ts';
import { ago, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

const CLOSED: BreakerState = { state: 'closed' };

/** Creates one crash per given age, each of a different worker. */
function crashes(...ages: number[]): WorkerCrash[] {
  return ages.map((age, index) => ({ worker: `eng-${index}-implement`, attempt: 1, at: ago(age) }));
}

function open(change: Partial<Extract<BreakerState, { state: 'open' }>> = {}): BreakerState {
  return { state: 'open', since: ago(10 * MINUTE), isAlerted: true, checks: checks('ok'), ...change };
}

function checks(disk: HostCheckResult, at = NOW) {
  return { at, disk, memory: 'ok', credentials: 'ok' } as const;
}

const step = (state: BreakerState, all: WorkerCrash[], limits = {}) =>
  decideBreakerStep(state, all, NOW, limits).step;

describe('the closed breaker', () => {
  test('opens after three crashes within 30 s across the fleet', () => {
    expect(step(CLOSED, crashes(0, 15 * SECOND, 30 * SECOND))).toBe('open');
  });

  test.each<[string, WorkerCrash[]]>([
    ['two crashes', crashes(0, SECOND)],
    ['three crashes within 31 s', crashes(0, 15 * SECOND, 31 * SECOND)],
    ['no crash', []],
    [
      'one crash reported by three observers',
      crashes(0, 0, 0).map((crash) => ({ ...crash, worker: 'eng-1-plan' })),
    ],
    ['three crashes an hour ago', crashes(HOUR, HOUR, HOUR)],
    [
      'crashes with an unreadable or future time',
      [...crashes(Number.NaN, Number.NaN, Number.NaN), ...crashes(-HOUR, -HOUR, -HOUR)],
    ],
  ])('stays closed after %s', (_, all) => {
    expect(step(CLOSED, all)).toBe('allow_spawns');
  });

  test('detects three simultaneous crashes even if the check runs late', () => {
    expect(step(CLOSED, crashes(4 * MINUTE, 4 * MINUTE + SECOND, 4 * MINUTE + 2 * SECOND))).toBe('open');
  });

  test('ignores crashes from before it was last closed', () => {
    const all = crashes(MINUTE, MINUTE, MINUTE);
    expect(step({ state: 'closed', closedAt: ago(30 * SECOND) }, all)).toBe('allow_spawns');
    expect(step({ state: 'closed', closedAt: ago(2 * MINUTE) }, all)).toBe('open');
  });
});

describe('the open breaker', () => {
  test('checks the host before it sends its single alert, so that the alert includes the results', () => {
    expect(step({ state: 'open', since: NOW, isAlerted: false }, [])).toBe('check_host');
    const checked = { state: 'open', since: ago(SECOND), isAlerted: false, checks: checks('bad') } as const;
    const alert = decideBreakerStep(checked, [], NOW, {});
    expect(alert.step).toBe('alert');
    expect(alert.why).toContain('disk');
  });

  test('ignores host checks from before it opened', () => {
    expect(step(open({ checks: checks('ok', ago(11 * MINUTE)) }), [])).toBe('check_host');
    expect(step(open({ checks: checks('ok', ago(11 * MINUTE)), isAlerted: false }), [])).toBe('check_host');
  });

  test.each<HostCheckResult>(['bad', 'unavailable'])(
    'if the result of a host check is "%s", stays open until a person acts, and repeats the check later',
    (disk) => {
      expect(decideBreakerStep(open({ checks: checks(disk) }), [], NOW, {})).toMatchObject({
        step: 'hold',
        until: 'person',
      });
      expect(step(open({ checks: checks(disk, ago(MINUTE)) }), [])).toBe('check_host');
    },
  );

  test('sends one alert in total, not one on every check', () => {
    const steps = [0, 1, 2].map(() => step(open(), crashes(MINUTE)));
    expect(steps).not.toContain('alert');
  });
});

describe('closing the breaker', () => {
  test('happens once the host checks pass and no worker has crashed for 5 min', () => {
    expect(step(open(), [])).toBe('close');
    expect(step(open({ since: ago(299 * SECOND) }), [])).toBe('hold');
    expect(step(open(), crashes(299 * SECOND))).toBe('hold');
    expect(step(open(), crashes(300 * SECOND))).toBe('close');
  });

  test('never happens automatically if the opening time or the time of the host checks is unreadable', () => {
    expect(step(open({ since: Number.NaN }), [])).not.toBe('close');
    expect(step(open({ checks: checks('ok', Number.NaN) }), [])).toBe('check_host');
  });
});

test('every breaker step includes an explanation', () => {
  const states = [
    CLOSED,
    open(),
    open({ isAlerted: false }),
    open({ checks: checks('bad') }),
    { state: 'open', since: NOW, isAlerted: false } as const,
  ];
  for (const state of states) {
    const { why, evidence, wouldChange, until } = decideBreakerStep(state, crashes(0, 0, 0), NOW, {});
    expect(why.length * wouldChange.length * evidence.length).toBeGreaterThan(0);
    expect(until).not.toBe('nothing_more');
  }
});
