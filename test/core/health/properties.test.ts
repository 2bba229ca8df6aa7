import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import { judgeHealth } from '../../../src/core/health/judge.ts';
import { DEFAULT_HEALTH_LIMITS, type HealthLimits } from '../../../src/core/health/limits.ts';
import { LIFECYCLE_STATES } from '../../../src/core/model/lifecycle.ts';
import { assertProperty } from '../../support/property.ts';
import { broken } from './support/safety.ts';
import { ago, DAY, ENDING, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

const RUNS = { numRuns: 20_000 };

/**
 * A time close to now, so that ages fall on both sides of the limits. Sometimes it is in the
 * future.
 */
const aTime = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: ago(4 * HOUR), max: NOW }) },
  { weight: 4, arbitrary: fc.integer({ min: ago(10 * MINUTE), max: NOW }) },
  { weight: 1, arbitrary: fc.integer({ min: NOW, max: NOW + HOUR }) },
);
const aStrangeNumber = fc.constantFrom(
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  -NOW,
  Number.MAX_VALUE,
);
const unavailable = fc.constant('unavailable' as const);

function evidenceWith(
  time: fc.Arbitrary<number>,
  amount: fc.Arbitrary<number>,
): fc.Arbitrary<HealthEvidence> {
  const how = fc.constantFrom('ask' as const, 'examine' as const);
  const probe = fc.oneof(
    fc.constant({ state: 'not_sent' as const }),
    fc.record({ state: fc.constant('sent' as const), at: time, how }),
    fc.record({ state: fc.constant('answered' as const), at: time }),
    fc.record({ state: fc.constant('failed' as const), at: time, how }),
  );
  const phase = fc.constantFrom('plan' as const, 'implement' as const);
  return fc.record({
    worker: fc.string(),
    attempt: fc.integer(),
    phase,
    state: fc.oneof(fc.constant('executing' as const), fc.constantFrom(...LIFECYCLE_STATES)),
    stateSince: time,
    spawnedAt: time,
    watchingSince: time,
    process: fc.oneof(
      fc.record({
        state: fc.constant('alive' as const),
        identity: fc.constantFrom('matches' as const, 'differs' as const, 'unchecked' as const),
      }),
      fc.record({
        state: fc.constant('gone' as const),
        since: time,
        exit: fc.oneof(
          fc.constant('unknown' as const),
          fc.record({ code: fc.option(fc.integer()), signal: fc.option(fc.string()) }),
        ),
      }),
      fc.constant({ state: 'never_seen' as const }),
      unavailable,
    ),
    agent: fc.oneof(
      fc.record({
        kind: fc.constantFrom(
          'text' as const,
          'tool_started' as const,
          'tool_ended' as const,
          'turn_ended' as const,
          'usage' as const,
          'error' as const,
        ),
        at: time,
      }),
      fc.constant({ kind: 'none' as const }),
      unavailable,
    ),
    tool: fc.oneof(fc.constant('none' as const), fc.record({ since: time }), unavailable),
    cpu: fc.oneof(fc.record({ usedMs: amount }), unavailable),
    children: fc.oneof(
      fc.record({ count: amount, newestAt: fc.oneof(time, fc.constant('none' as const)) }),
      unavailable,
    ),
    sessionFile: fc.oneof(fc.constant('missing' as const), fc.record({ at: time }), unavailable),
    report: fc.oneof(
      { weight: 5, arbitrary: fc.constant('none' as const) },
      fc.record({
        where: fc.constantFrom('received' as const, 'done_flag' as const, 'outbox' as const),
        since: time,
      }),
      unavailable,
    ),
    checkpoint: fc.oneof(fc.constant('none' as const), fc.record({ at: time }), unavailable),
    rateLimit: fc.oneof(
      { weight: 5, arbitrary: fc.constant('none' as const) },
      fc.record({ seenAt: time, resetAt: fc.oneof(time, fc.constant('unknown' as const)) }),
      unavailable,
    ),
    output: fc.constantFrom(
      'text' as const,
      'tool' as const,
      'empty' as const,
      'none' as const,
      'unavailable' as const,
    ),
    workspace: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const, 'unavailable' as const),
    suspicion: fc.oneof(
      fc.record({ flagged: fc.constant(false as const) }),
      fc.record({ flagged: fc.constant(false as const), clearedAt: time }),
      fc.record({
        flagged: fc.constant(true as const),
        since: time,
        phase,
        cpuMs: fc.oneof(amount, unavailable),
        probe,
      }),
    ),
    questionsAsked: amount,
    personToldAt: fc.oneof(time, fc.constant('never' as const)),
  });
}

const plausible = evidenceWith(aTime, fc.integer({ min: 0, max: 3_000 }));
const strange = evidenceWith(
  fc.oneof(aTime, aStrangeNumber),
  fc.oneof(fc.integer({ min: 0, max: 3_000 }), aStrangeNumber),
);

test('every guarantee holds for any evidence', () => {
  assertProperty(
    fc.property(plausible, fc.integer({ min: ago(HOUR), max: NOW + DAY }), (evidence, now) => {
      expect(broken(evidence, now, judgeHealth(evidence, now, DEFAULT_HEALTH_LIMITS))).toEqual([]);
    }),
    RUNS,
  );
});

test('invalid numbers cause no exception, violate no guarantee and never cause a kill', () => {
  const aNow = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: NOW, max: NOW + DAY }) }, aStrangeNumber);
  assertProperty(
    fc.property(strange, aNow, (evidence, now) => {
      const judgement = judgeHealth(evidence, now, DEFAULT_HEALTH_LIMITS);
      const complaints = broken(evidence, now, judgement);
      if (hasStrangeNumber(evidence) && ENDING.has(judgement.next))
        complaints.push('ended because of an invalid number');
      expect(complaints).toEqual([]);
    }),
    RUNS,
  );
});

test('every judgement includes an explanation and throws no exception, whatever the limits', () => {
  const names = Object.keys(DEFAULT_HEALTH_LIMITS) as (keyof HealthLimits)[];
  const limits = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.double(), aStrangeNumber, fc.integer()),
  );
  assertProperty(
    fc.property(plausible, limits, (evidence, given) => {
      const judgement = judgeHealth(evidence, NOW + SECOND, given);
      expect(judgement.why.length * judgement.wouldChange.length * judgement.evidence.length).toBeGreaterThan(
        0,
      );
      expect(judgement.until === 'time' && judgement.lookAgainAt === undefined).toBe(false);
    }),
    RUNS,
  );
});

test('the same evidence at the same time gives the same judgement', () => {
  assertProperty(
    fc.property(strange, (evidence) => {
      expect(judgeHealth(structuredClone(evidence), NOW, DEFAULT_HEALTH_LIMITS)).toEqual(
        judgeHealth(evidence, NOW, DEFAULT_HEALTH_LIMITS),
      );
    }),
  );
});

/** Returns whether any time or amount is invalid. The provider's reset time is exempt. */
function hasStrangeNumber(value: unknown, name = ''): boolean {
  if (typeof value === 'number')
    return (
      name !== 'resetAt' && name !== 'attempt' && name !== 'code' && !(Number.isFinite(value) && value >= 0)
    );
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasStrangeNumber(inner, key));
}
