import { describe, expect, test } from 'vitest';
import { type BreakerState, breaker, type Check, type Crash } from '../../../src/core/health/breaker.ts';
import { ago, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

const CLOSED: BreakerState = { state: 'closed' };

/** One crash of a worker of its own for each of these ages. */
function crashes(...ages: number[]): Crash[] {
  return ages.map((age, index) => ({ worker: `eng-${index}-implement`, attempt: 1, at: ago(age) }));
}

function open(change: Partial<Extract<BreakerState, { state: 'open' }>> = {}): BreakerState {
  return { state: 'open', since: ago(10 * MINUTE), isAlerted: true, checks: checks('ok'), ...change };
}

function checks(disk: Check, at = NOW) {
  return { at, disk, memory: 'ok', credentials: 'ok' } as const;
}

const step = (state: BreakerState, all: Crash[], limits = {}) => breaker(state, all, NOW, limits).step;

describe('opening', () => {
  test('three crashes within 30 s across the fleet open it', () => {
    expect(step(CLOSED, crashes(0, 15 * SECOND, 30 * SECOND))).toBe('open');
  });

  test.each<[string, Crash[]]>([
    ['two crashes', crashes(0, SECOND)],
    ['three crashes that are 31 s apart', crashes(0, 15 * SECOND, 31 * SECOND)],
    ['no crash at all', []],
    [
      'one death seen by three observers',
      crashes(0, 0, 0).map((crash) => ({ ...crash, worker: 'eng-1-plan' })),
    ],
    ['three crashes an hour ago', crashes(HOUR, HOUR, HOUR)],
    [
      'crashes whose time cannot be read or lies ahead',
      [...crashes(Number.NaN, Number.NaN, Number.NaN), ...crashes(-HOUR, -HOUR, -HOUR)],
    ],
  ])('%s do not', (_, all) => {
    expect(step(CLOSED, all)).toBe('allow_spawns');
  });

  test('three at once are seen also by a look that comes late', () => {
    expect(step(CLOSED, crashes(4 * MINUTE, 4 * MINUTE + SECOND, 4 * MINUTE + 2 * SECOND))).toBe('open');
  });

  test('crashes before it was last closed do not open it again', () => {
    const all = crashes(MINUTE, MINUTE, MINUTE);
    expect(step({ state: 'closed', closedAt: ago(30 * SECOND) }, all)).toBe('allow_spawns');
    expect(step({ state: 'closed', closedAt: ago(2 * MINUTE) }, all)).toBe('open');
  });
});

describe('while it is open', () => {
  test('the host is checked first, so that the one alert can say what was found', () => {
    expect(step({ state: 'open', since: NOW, isAlerted: false }, [])).toBe('check_host');
    const checked = { state: 'open', since: ago(SECOND), isAlerted: false, checks: checks('bad') } as const;
    const alert = breaker(checked, [], NOW, {});
    expect(alert.step).toBe('alert');
    expect(alert.why).toContain('disk');
  });

  test('checks from before it opened do not count', () => {
    expect(step(open({ checks: checks('ok', ago(11 * MINUTE)) }), [])).toBe('check_host');
    expect(step(open({ checks: checks('ok', ago(11 * MINUTE)), isAlerted: false }), [])).toBe('check_host');
  });

  test.each<Check>(['bad', 'unavailable'])(
    'a check that is %s keeps it open, names a person, and is tried again',
    (disk) => {
      expect(breaker(open({ checks: checks(disk) }), [], NOW, {})).toMatchObject({
        step: 'hold',
        until: 'person',
      });
      expect(step(open({ checks: checks(disk, ago(MINUTE)) }), [])).toBe('check_host');
    },
  );

  test('there is one alert, not one a look', () => {
    const steps = [0, 1, 2].map(() => step(open(), crashes(MINUTE)));
    expect(steps).not.toContain('alert');
  });
});

describe('closing', () => {
  test('good checks and 5 min without a crash close it', () => {
    expect(step(open(), [])).toBe('close');
    expect(step(open({ since: ago(299 * SECOND) }), [])).toBe('hold');
    expect(step(open(), crashes(299 * SECOND))).toBe('hold');
    expect(step(open(), crashes(300 * SECOND))).toBe('close');
  });

  test('times that cannot be read never close it by themselves', () => {
    expect(step(open({ since: Number.NaN }), [])).not.toBe('close');
    expect(step(open({ checks: checks('ok', Number.NaN) }), [])).toBe('check_host');
  });
});

test('every step explains itself', () => {
  const states = [
    CLOSED,
    open(),
    open({ isAlerted: false }),
    open({ checks: checks('bad') }),
    { state: 'open', since: NOW, isAlerted: false } as const,
  ];
  for (const state of states) {
    const { why, evidence, wouldChange, until } = breaker(state, crashes(0, 0, 0), NOW, {});
    expect(why.length * wouldChange.length * evidence.length).toBeGreaterThan(0);
    expect(until).not.toBe('nothing_more');
  }
});
