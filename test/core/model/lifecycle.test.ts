import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AttemptFacts,
  hasEnded,
  isLive,
  isWaiting,
  LIFECYCLE_STATES,
  type LifecycleState,
  lifecycleOf,
} from '../../../src/domain/lifecycle.ts';
import { assertProperty } from '../../support/property.ts';

const DISPATCHED: AttemptFacts = { dispatchedAt: 1 };
const EXECUTING: AttemptFacts = { ...DISPATCHED, firstEventAt: 2 };
const REPORTED: AttemptFacts = { ...EXECUTING, reportedAt: 3 };

describe('the state of an attempt', () => {
  test.each<[string, AttemptFacts, LifecycleState]>([
    ['dispatched only', DISPATCHED, 'spawned'],
    ['heard of', EXECUTING, 'executing'],
    ['reported, not yet judged', REPORTED, 'reporting'],
    ['reported without a first event', { ...DISPATCHED, reportedAt: 3 }, 'reporting'],
    ['report accepted', { ...REPORTED, acceptedAt: 4 }, 'finished'],
    ['asked a person', { ...EXECUTING, waiting: { for: 'user', since: 3 } }, 'waiting-user'],
    [
      'refused by the provider',
      { ...EXECUTING, waiting: { for: 'quota', since: 3, until: 9 } },
      'waiting-quota',
    ],
    [
      'refused before its first event',
      { ...DISPATCHED, waiting: { for: 'quota', since: 3 } },
      'waiting-quota',
    ],
    ['reported after it had asked', { ...REPORTED, waiting: { for: 'user', since: 2 } }, 'reporting'],
    ['found dead', { ...EXECUTING, crashedAt: 4 }, 'crashed'],
    ['found dead before it started', { ...DISPATCHED, crashedAt: 4 }, 'crashed'],
    ['died with its report unjudged', { ...REPORTED, crashedAt: 4 }, 'crashed'],
    ['crashed too often', { ...EXECUTING, crashedAt: 4, pausedAt: 5 }, 'paused'],
    ['stopped on request', { ...EXECUTING, stoppedAt: 4 }, 'stopped'],
    ['stopped after a crash', { ...EXECUTING, crashedAt: 4, stoppedAt: 5 }, 'stopped'],
    [
      'its process dies after the report was accepted',
      { ...REPORTED, acceptedAt: 4, crashedAt: 5 },
      'finished',
    ],
    ['facts at time 0 are facts', { dispatchedAt: 0, firstEventAt: 0, reportedAt: 0 }, 'reporting'],
  ])('%s', (_, facts, state) => {
    expect(lifecycleOf(facts)).toBe(state);
  });

  test('once ended stays ended, whatever else becomes known', () => {
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
        if (hasEnded(lifecycleOf(before))) expect(hasEnded(lifecycleOf(after))).toBe(true);
        if (lifecycleOf(before) === 'finished') expect(lifecycleOf(after)).toBe('finished');
      }),
    );
  });
});

describe('every state', () => {
  test.each(LIFECYCLE_STATES)('%s is exactly one of live, waiting and ended', (state) => {
    expect([isLive(state), isWaiting(state), hasEnded(state)].filter(Boolean)).toHaveLength(1);
  });

  test.each([
    ['live', isLive, ['spawned', 'executing', 'reporting']],
    ['waiting', isWaiting, ['waiting-user', 'waiting-quota']],
    ['ended', hasEnded, ['finished', 'crashed', 'paused', 'stopped']],
  ])('that is %s is listed here', (_, is, states) => {
    expect(LIFECYCLE_STATES.filter(is)).toEqual(states);
  });
});

function attempt(facts: object): AttemptFacts {
  return { ...DISPATCHED, ...known(facts) };
}

function known(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
