import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideStopStep, type StopFacts } from '../../../src/core/health/stop-ladder.ts';
import { assertProperty } from '../../support/property.ts';
import { ALIVE, ago, GONE, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

/** Facts about a worker that was asked to stop one second ago and has not reacted. */
function stop(change: Partial<StopFacts> = {}): StopFacts {
  return {
    process: ALIVE,
    orderedAt: ago(SECOND),
    asked: { at: ago(SECOND) },
    extensions: 0,
    output: 'open',
    group: 'none',
    ...change,
  };
}

const step = (change: Partial<StopFacts>, now = NOW) => decideStopStep(stop(change), now, {}).step;

describe('the stop ladder', () => {
  test.each<[string, Partial<StopFacts>, string]>([
    ['asks a worker to stop before it sends a signal', { asked: 'not_yet' }, 'ask'],
    ['does not ask a worker whose crash is confirmed', { asked: 'pointless' }, 'term_group'],
    ['waits 30 s after asking', { asked: { at: ago(30 * SECOND - 1) } }, 'wait'],
    ['sends SIGTERM to the group after the grace period', { asked: { at: ago(30 * SECOND) } }, 'term_group'],
    [
      'gives a worker that is still working 5 min more',
      { asked: { at: ago(5 * MINUTE + 29 * SECOND) }, extensions: 1 },
      'wait',
    ],
    [
      'sends SIGTERM when the extension is over',
      { asked: { at: ago(5 * MINUTE + 30 * SECOND) }, extensions: 1 },
      'term_group',
    ],
    ['extends the grace period a second time', { asked: { at: ago(10 * MINUTE) }, extensions: 2 }, 'wait'],
    [
      'extends the grace period no more than twice',
      { asked: { at: ago(10 * MINUTE + 30 * SECOND) }, extensions: 9 },
      'term_group',
    ],
    ['waits 10 s after SIGTERM', { termAt: ago(10 * SECOND - 1) }, 'wait'],
    ['sends SIGKILL to the group 10 s after SIGTERM', { termAt: ago(10 * SECOND) }, 'kill_group'],
    [
      'drains the output for at most 1 s after SIGKILL',
      { termAt: ago(11 * SECOND), killAt: ago(SECOND - 1) },
      'drain',
    ],
    [
      'records a process that survives SIGKILL as a zombie',
      { termAt: ago(11 * SECOND), killAt: ago(SECOND) },
      'record_zombie',
    ],
    [
      'drains the output of a process that is gone',
      { process: { ...GONE, since: ago(SECOND - 1) } },
      'drain',
    ],
    [
      'never waits until the output is closed',
      { process: { ...GONE, since: ago(SECOND) }, output: 'open' },
      'done',
    ],
    ['does not drain closed output', { process: { ...GONE, since: NOW }, output: 'closed' }, 'done'],
    [
      'gives other processes of the group a second to exit',
      {
        process: { state: 'gone', since: ago(SECOND - 1), exit: { code: 0, signal: null } },
        output: 'closed',
        group: 'left',
      },
      'drain',
    ],
    [
      'waits at most a second after the last signal if the exit is unknown',
      {
        process: { state: 'gone', since: NOW, exit: 'unknown' },
        termAt: ago(SECOND),
        output: 'closed',
        group: 'left',
      },
      'record_zombie',
    ],
    ['leaves other processes of the group to the cleanup', { process: GONE, group: 'left' }, 'record_zombie'],
    [
      'does not stop a process that never existed',
      { process: { state: 'never_seen' }, output: 'closed' },
      'done',
    ],
  ])('%s', (_, change, expected) => {
    expect(step(change)).toBe(expected);
  });

  test('records a process that nothing can stop as a zombie at most 42 s after the stop request', () => {
    const steps: string[] = [];
    let facts = stop({ orderedAt: NOW, asked: 'not_yet' });
    let now = NOW;
    for (;;) {
      const answer = decideStopStep(facts, now, {});
      steps.push(answer.step);
      if (answer.step === 'ask') facts = { ...facts, asked: { at: now } };
      if (answer.step === 'term_group') facts = { ...facts, termAt: now };
      if (answer.step === 'kill_group') facts = { ...facts, killAt: now };
      if (answer.lookAgainAt === undefined) break;
      expect(answer.lookAgainAt).toBeGreaterThan(now);
      now = answer.lookAgainAt;
    }
    expect(steps).toEqual(['ask', 'wait', 'term_group', 'wait', 'kill_group', 'record_zombie']);
    expect(now - NOW).toBeLessThanOrEqual(42 * SECOND);
  });
});

describe('process identity', () => {
  test.each<[string, StopFacts['process'], string]>([
    [
      'sends no signal to a reused pid, because our process is gone',
      { state: 'alive', identity: 'differs' },
      'done',
    ],
    ['sends no signal to a pid that cannot be checked', { state: 'alive', identity: 'unchecked' }, 'wait'],
    ['sends no signal if the process list is unreadable', 'unavailable', 'wait'],
  ])('%s', (_, process, expected) => {
    const overdue = {
      process,
      output: 'closed',
      asked: { at: ago(MINUTE) },
      orderedAt: ago(MINUTE),
    } as const;
    expect(step(overdue)).toBe(expected);
    expect(step({ ...overdue, termAt: ago(30 * SECOND) })).toBe(expected);
  });

  test('records a process as a zombie and sends it no signal if its identity cannot be checked for 5 min', () => {
    expect(step({ process: 'unavailable', orderedAt: ago(5 * MINUTE) })).toBe('record_zombie');
  });
});

test('no signal is sent if times are unreadable or the clock was set back', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    expect(step({ orderedAt: bad })).toBe('record_zombie');
    expect(step({ asked: { at: bad } })).toBe('record_zombie');
    expect(step({ termAt: bad })).toBe('record_zombie');
    expect(step({ killAt: bad })).toBe('record_zombie');
  }
  expect(step({}, Number.NaN)).toBe('record_zombie');
  expect(step({ termAt: NOW }, NOW - HOUR)).toBe('wait');
  expect(step({ process: { ...GONE, since: NOW + HOUR } }), 'does not drain for an hour').toBe('done');
});

test('a signal is only sent to a process whose pid and start time match', () => {
  const time = fc.oneof(
    fc.integer({ min: NOW - HOUR, max: NOW + HOUR }),
    fc.double(),
    fc.constant(undefined),
  );
  const process = fc.constantFrom<StopFacts['process']>(
    ALIVE,
    { state: 'alive', identity: 'differs' },
    { state: 'alive', identity: 'unchecked' },
    GONE,
    { state: 'never_seen' },
    'unavailable',
  );
  assertProperty(
    fc.property(
      process,
      time,
      time,
      time,
      fc.nat({ max: 3 }),
      fc.constantFrom('closed', 'open'),
      fc.constantFrom('none', 'left', 'unavailable'),
      fc.constantFrom('not_yet', 'pointless', 'asked'),
      (seen, askedAt, termAt, killAt, extensions, output, group, asked) => {
        const facts: StopFacts = {
          process: seen,
          orderedAt: ago(MINUTE),
          asked: asked === 'asked' ? { at: askedAt ?? NOW } : asked,
          extensions,
          output,
          group,
          ...(termAt === undefined ? {} : { termAt }),
          ...(killAt === undefined ? {} : { killAt }),
        };
        const result = decideStopStep(facts, NOW, {});
        const isSignal = result.step === 'term_group' || result.step === 'kill_group';
        if (isSignal) expect(seen).toEqual(ALIVE);
        if (result.step === 'kill_group') expect(NOW - (termAt ?? NOW)).toBeGreaterThanOrEqual(10 * SECOND);
        expect(result.why.length * result.wouldChange.length).toBeGreaterThan(0);
        if (result.lookAgainAt === undefined) expect(['done', 'record_zombie']).toContain(result.step);
        else expect(result.lookAgainAt).toBeGreaterThan(NOW);
      },
    ),
    { numRuns: 2_000 },
  );
});
