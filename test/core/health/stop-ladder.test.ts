import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StopFacts, stopLadder } from '../../../src/core/health/stop-ladder.ts';
import { assertProperty } from '../../support/property.ts';
import { ALIVE, ago, GONE, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

/** Asked a second ago, nothing else done. */
function stop(change: Partial<StopFacts> = {}): StopFacts {
  return {
    process: ALIVE,
    orderedAt: ago(SECOND),
    asked: { at: ago(SECOND) },
    answer: 'none',
    output: 'open',
    group: 'none',
    ...change,
  };
}

const step = (change: Partial<StopFacts>, now = NOW) => stopLadder(stop(change), now, {}).step;

describe('the ladder', () => {
  test.each<[string, Partial<StopFacts>, string]>([
    ['nobody is stopped without being asked', { asked: 'not_yet' }, 'ask'],
    ['one whose crash is confirmed is not asked again', { asked: 'pointless' }, 'term_group'],
    ['the question gets a grace of 30 s', { asked: { at: ago(30 * SECOND - 1) } }, 'wait'],
    ['after the grace comes SIGTERM to the group', { asked: { at: ago(30 * SECOND) } }, 'term_group'],
    [
      'agreeing to stop does not lengthen the grace',
      { asked: { at: ago(30 * SECOND) }, answer: 'agreed' },
      'term_group',
    ],
    [
      'one that is still working gets 10 min',
      { asked: { at: ago(9 * MINUTE) }, answer: 'still_working' },
      'wait',
    ],
    ['and no more than that', { asked: { at: ago(10 * MINUTE) }, answer: 'still_working' }, 'term_group'],
    ['SIGTERM gets 10 s', { termAt: ago(10 * SECOND - 1) }, 'wait'],
    ['then comes SIGKILL to the group', { termAt: ago(10 * SECOND) }, 'kill_group'],
    [
      'after SIGKILL its output is drained for at most 1 s',
      { termAt: ago(11 * SECOND), killAt: ago(SECOND - 1) },
      'drain',
    ],
    [
      'what survives SIGKILL is recorded as a zombie',
      { termAt: ago(11 * SECOND), killAt: ago(SECOND) },
      'record_zombie',
    ],
    ['a gone process is drained', { process: { ...GONE, since: ago(SECOND - 1) } }, 'drain'],
    [
      'the end of its output is never waited for',
      { process: { ...GONE, since: ago(SECOND) }, output: 'open' },
      'done',
    ],
    ['closed output needs no drain', { process: { ...GONE, since: NOW }, output: 'closed' }, 'done'],
    [
      'others of its group get a second to end after it',
      {
        process: { state: 'gone', since: ago(SECOND - 1), exit: { code: 0, signal: null } },
        output: 'closed',
        group: 'left',
      },
      'drain',
    ],
    [
      'a process whose exit is unknown delays that by no more than a second after the last signal',
      {
        process: { state: 'gone', since: NOW, exit: 'unknown' },
        termAt: ago(SECOND),
        output: 'closed',
        group: 'left',
      },
      'record_zombie',
    ],
    ['others of its group are left to the cleanup', { process: GONE, group: 'left' }, 'record_zombie'],
    [
      'a process that never was needs no stopping',
      { process: { state: 'never_seen' }, output: 'closed' },
      'done',
    ],
  ])('%s', (_, change, expected) => {
    expect(step(change)).toBe(expected);
  });

  test('runs from the question to the zombie within 42 s when nothing helps', () => {
    const steps: string[] = [];
    let facts = stop({ orderedAt: NOW, asked: 'not_yet' });
    let now = NOW;
    for (;;) {
      const answer = stopLadder(facts, now, {});
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

describe('identity', () => {
  test.each<[string, StopFacts['process'], string]>([
    [
      'a pid that passed to another process gets no signal: ours is gone',
      { state: 'alive', identity: 'differs' },
      'done',
    ],
    ['a pid that cannot be checked gets no signal', { state: 'alive', identity: 'unchecked' }, 'wait'],
    ['a process list that cannot be read sends no signal', 'unavailable', 'wait'],
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

  test('what cannot be checked for 5 min is recorded as a zombie, unsignalled', () => {
    expect(step({ process: 'unavailable', orderedAt: ago(5 * MINUTE) })).toBe('record_zombie');
  });
});

test('times that cannot be read, or a clock set back, send no signal', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    expect(step({ orderedAt: bad })).toBe('record_zombie');
    expect(step({ asked: { at: bad } })).toBe('record_zombie');
    expect(step({ termAt: bad })).toBe('record_zombie');
    expect(step({ killAt: bad })).toBe('record_zombie');
  }
  expect(step({}, Number.NaN)).toBe('record_zombie');
  expect(step({ termAt: NOW }, NOW - HOUR)).toBe('wait');
  expect(step({ process: { ...GONE, since: NOW + HOUR } }), 'nor drain for an hour').toBe('done');
});

test('a signal is only ever sent to a process whose pid and start time match, whatever else is true', () => {
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
      fc.constantFrom('none', 'agreed', 'still_working'),
      fc.constantFrom('closed', 'open'),
      fc.constantFrom('none', 'left', 'unavailable'),
      fc.constantFrom('not_yet', 'pointless', 'asked'),
      (seen, askedAt, termAt, killAt, answer, output, group, asked) => {
        const facts: StopFacts = {
          process: seen,
          orderedAt: ago(MINUTE),
          asked: asked === 'asked' ? { at: askedAt ?? NOW } : asked,
          answer,
          output,
          group,
          ...(termAt === undefined ? {} : { termAt }),
          ...(killAt === undefined ? {} : { killAt }),
        };
        const result = stopLadder(facts, NOW, {});
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
