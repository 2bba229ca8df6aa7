import { describe, expect, test } from 'vitest';
import { overspending, type SpendingFacts, spentBecause } from '../../../src/core/health/overspending.ts';
import { LIFECYCLE_STATES } from '../../../src/domain/lifecycle.ts';
import { DEFAULT_BUDGETS } from '../../../src/health/budget.ts';
import { NOTHING_SPENT } from '../../../src/health/spending.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const BUDGETS = { ...DEFAULT_BUDGETS, worker: { wallMs: 100 * MINUTE, tokens: 1_000 }, issue: { usd: 5 } };

function step(given: Partial<SpendingFacts>, now = NOW) {
  const facts: SpendingFacts = {
    state: 'executing',
    worker: NOTHING_SPENT,
    issue: NOTHING_SPENT,
    idleTurns: 0,
    warnings: [],
    ...given,
  };
  return overspending(facts, now, BUDGETS, {});
}

const used = (amounts: object) => ({ ...NOTHING_SPENT, ...amounts });
const SPENT = used({ tokens: 1_000 });

describe('an attempt', () => {
  test('within its budget is left alone, and looked at again when time alone brings it near', () => {
    const { step: next, lookAgainAt } = step({ worker: used({ wallMs: 30 * MINUTE }) });
    expect([next, lookAgainAt]).toEqual(['nothing', NOW + 50 * MINUTE]);
    const warned = step({ worker: used({ wallMs: 90 * MINUTE }), warnings: ['worker wallMs'] });
    expect([warned.step, warned.lookAgainAt]).toEqual(['nothing', NOW + 10 * MINUTE]);
  });

  test('near its budget is warned once for each measure', () => {
    const near = { worker: used({ tokens: 900 }), issue: used({ usd: 4.5 }) };
    const first = step(near);
    expect(first).toMatchObject({ step: 'warn', warning: 'worker tokens' });
    expect(first.why).toContain('900 tokens of 1,000 tokens are used by this worker');
    expect(step({ ...near, warnings: ['worker tokens'] })).toMatchObject({
      step: 'warn',
      warning: 'issue usd',
    });
    expect(step({ ...near, warnings: ['worker tokens', 'issue usd'] }).step).toBe('nothing');
  });

  test('beyond it is asked first, given a grace, and only then stopped', () => {
    expect(step({ worker: SPENT })).toMatchObject({ step: 'ask', until: 'event' });
    expect(step({ worker: SPENT, askedToStopAt: NOW - 29_999 })).toMatchObject({
      step: 'wait',
      lookAgainAt: NOW + 1,
    });
    expect(step({ worker: SPENT, askedToStopAt: NOW - 30_000 })).toMatchObject({
      step: 'stop',
      until: 'person',
    });
  });

  test('that was asked and then got a larger budget goes on', () => {
    expect(step({ askedToStopAt: NOW - MINUTE }).step).toBe('nothing');
  });

  test('whose turns lead nowhere is stopped like one that has used up its budget', () => {
    expect(step({ idleTurns: 2 }).step).toBe('nothing');
    expect(step({ idleTurns: 3 })).toMatchObject({
      step: 'ask',
      why: 'It has ended 3 turns without a change in its workspace, a report, a question or a checkpoint.',
    });
    expect(step({ idleTurns: 4, askedToStopAt: NOW - MINUTE }).step).toBe('stop');
  });

  test.each(LIFECYCLE_STATES)('that is %s is stopped only while it is at work', (state) => {
    const next = step({ state, worker: SPENT, idleTurns: 9, askedToStopAt: 0 }).step;
    expect(next).toBe(state === 'spawned' || state === 'executing' ? 'stop' : 'nothing');
  });

  test('a clock that was set back lengthens the grace, and shortens nothing', () => {
    expect(step({ worker: SPENT, askedToStopAt: NOW + MINUTE }).step).toBe('wait');
  });
});

test('every step explains itself with what is used and what would change it', () => {
  for (const given of [{}, { worker: SPENT }, { worker: SPENT, askedToStopAt: 0 }, { idleTurns: 3 }]) {
    const { why, wouldChange, evidence } = step(given);
    expect([why, wouldChange].every((text) => text.endsWith('.'))).toBe(true);
    expect(evidence).toHaveLength(4);
  }
});

test('a start is refused only where a budget is used up', () => {
  const issue = used({ usd: 5 });
  expect(spentBecause({ worker: used({ tokens: 999 }), issue: NOTHING_SPENT }, BUDGETS)).toBeUndefined();
  expect(spentBecause({ worker: NOTHING_SPENT, issue }, BUDGETS)).toBe(
    'A budget is used up: $5.00 of $5.00 are used by all workers of the issue.',
  );
});
