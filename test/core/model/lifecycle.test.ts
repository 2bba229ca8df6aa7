import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AttemptFacts,
  hasEnded,
  isLive,
  isWaiting,
  LIFECYCLE_STATES,
  type LifecycleState,
  toLifecycleState,
} from '../../../src/core/model/lifecycle.ts';
import { assertProperty } from '../../support/property.ts';

const DISPATCHED: AttemptFacts = { dispatchedAt: 1 };
const EXECUTING: AttemptFacts = { ...DISPATCHED, firstEventAt: 2 };
const REPORTED: AttemptFacts = { ...EXECUTING, reportedAt: 3 };

describe('an attempt', () => {
  test.each<[string, AttemptFacts, LifecycleState]>([
    ['is spawned if it was only dispatched', DISPATCHED, 'spawned'],
    ['is executing once its first event is received', EXECUTING, 'executing'],
    ['is reporting if its report is not judged yet', REPORTED, 'reporting'],
    ['is reporting if it reported without a first event', { ...DISPATCHED, reportedAt: 3 }, 'reporting'],
    ['is finished once its report is accepted', { ...REPORTED, acceptedAt: 4 }, 'finished'],
    [
      'is waiting-user if it asked a person',
      { ...EXECUTING, waiting: { for: 'user', since: 3 } },
      'waiting-user',
    ],
    [
      'is waiting-quota if the provider refused it',
      { ...EXECUTING, waiting: { for: 'quota', since: 3, until: 9 } },
      'waiting-quota',
    ],
    [
      'is waiting-quota if the provider refused it before its first event',
      { ...DISPATCHED, waiting: { for: 'quota', since: 3 } },
      'waiting-quota',
    ],
    [
      'is reporting if it reported after a question',
      { ...REPORTED, waiting: { for: 'user', since: 2 } },
      'reporting',
    ],
    ['is crashed after a crash', { ...EXECUTING, crashedAt: 4 }, 'crashed'],
    ['is crashed if it crashed before its first event', { ...DISPATCHED, crashedAt: 4 }, 'crashed'],
    ['is crashed if it crashed before its report was judged', { ...REPORTED, crashedAt: 4 }, 'crashed'],
    ['is paused if it crashed too often', { ...EXECUTING, crashedAt: 4, pausedAt: 5 }, 'paused'],
    ['is stopped if it was stopped on request', { ...EXECUTING, stoppedAt: 4 }, 'stopped'],
    ['is stopped if it was stopped after a crash', { ...EXECUTING, crashedAt: 4, stoppedAt: 5 }, 'stopped'],
    [
      'is finished even if it crashed after its report was accepted',
      { ...REPORTED, acceptedAt: 4, crashedAt: 5 },
      'finished',
    ],
    [
      'is recognised even if all times are 0',
      { dispatchedAt: 0, firstEventAt: 0, reportedAt: 0 },
      'reporting',
    ],
  ])('%s', (_, facts, state) => {
    expect(toLifecycleState(facts)).toBe(state);
  });

  test('remains ended, whatever facts are added later', () => {
    const time = fc.option(fc.nat(), { nil: undefined });
    const facts = fc.record({
      firstEventAt: time,
      reportedAt: time,
      acceptedAt: time,
      crashedAt: time,
      pausedAt: time,
      stoppedAt: time,
      waiting: fc.constantFrom(
        undefined,
        { for: 'user' as const, since: 1 },
        { for: 'quota' as const, since: 1 },
      ),
    });
    assertProperty(
      fc.property(facts, facts, (first, later) => {
        const before = attempt(first);
        const after = attempt({ ...known(later), ...known(first) });
        if (hasEnded(toLifecycleState(before))) expect(hasEnded(toLifecycleState(after))).toBe(true);
        if (toLifecycleState(before) === 'finished') expect(toLifecycleState(after)).toBe('finished');
      }),
    );
  });
});

describe('the lifecycle states', () => {
  test.each(LIFECYCLE_STATES)('%s is exactly one of live, waiting and ended', (state) => {
    expect([isLive(state), isWaiting(state), hasEnded(state)].filter(Boolean)).toHaveLength(1);
  });

  test.each([
    ['live', isLive, ['spawned', 'executing', 'reporting']],
    ['waiting', isWaiting, ['waiting-user', 'waiting-quota']],
    ['ended', hasEnded, ['finished', 'crashed', 'paused', 'stopped']],
  ])('that count as %s are exactly the expected ones', (_, is, states) => {
    expect(LIFECYCLE_STATES.filter(is)).toEqual(states);
  });
});

function attempt(facts: object): AttemptFacts {
  return { ...DISPATCHED, ...known(facts) };
}

function known(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
