import { describe, expect, test } from 'vitest';
import { DEFAULT_BUDGETS, NO_SPENDING } from '../../../src/core/health/budget.ts';
import {
  decideOverspendingStep,
  explainSpentBudget,
  type SpendingFacts,
} from '../../../src/core/health/overspending.ts';
import { LIFECYCLE_STATES } from '../../../src/core/model/lifecycle.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const BUDGETS = { ...DEFAULT_BUDGETS, worker: { wallMs: 100 * MINUTE, tokens: 1_000 }, issue: { usd: 5 } };

function step(given: Partial<SpendingFacts>, now = NOW) {
  const facts: SpendingFacts = {
    state: 'executing',
    worker: NO_SPENDING,
    issue: NO_SPENDING,
    idleTurns: 0,
    warnings: [],
    ...given,
  };
  return decideOverspendingStep(facts, now, BUDGETS, {});
}

const used = (amounts: object) => ({ ...NO_SPENDING, ...amounts });
const SPENT = used({ tokens: 1_000 });

describe('an attempt', () => {
  test('is not interrupted within its budget, and is checked again when elapsed time alone would bring it near the limit', () => {
    const { step: next, lookAgainAt } = step({ worker: used({ wallMs: 30 * MINUTE }) });
    expect([next, lookAgainAt]).toEqual(['nothing', NOW + 50 * MINUTE]);
    const warned = step({ worker: used({ wallMs: 90 * MINUTE }), warnings: ['worker wallMs'] });
    expect([warned.step, warned.lookAgainAt]).toEqual(['nothing', NOW + 10 * MINUTE]);
  });

  test('is warned once for each measure that is near its budget', () => {
    const near = { worker: used({ tokens: 900 }), issue: used({ usd: 4.5 }) };
    const first = step(near);
    expect(first).toMatchObject({ step: 'warn', warning: 'worker tokens' });
    expect(first.why).toContain('900 tokens of 1,000 tokens used by this worker');
    expect(step({ ...near, warnings: ['worker tokens'] })).toMatchObject({
      step: 'warn',
      warning: 'issue usd',
    });
    expect(step({ ...near, warnings: ['worker tokens', 'issue usd'] }).step).toBe('nothing');
  });

  test('is asked to stop when it is over its budget, and is stopped only after a grace period', () => {
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

  test('continues if its budget is raised after it was asked to stop', () => {
    expect(step({ askedToStopAt: NOW - MINUTE }).step).toBe('nothing');
  });

  test('that makes too many turns without progress is stopped in the same way as one that has spent its budget', () => {
    expect(step({ idleTurns: 2 }).step).toBe('nothing');
    expect(step({ idleTurns: 3 })).toMatchObject({
      step: 'ask',
      why: 'It took 3 turns without a workspace change, report, question or checkpoint.',
    });
    expect(step({ idleTurns: 4, askedToStopAt: NOW - MINUTE }).step).toBe('stop');
  });

  test.each(LIFECYCLE_STATES)(
    'is stopped for overspending only in the states spawned and executing (tested: %s)',
    (state) => {
      const next = step({ state, worker: SPENT, idleTurns: 9, askedToStopAt: 0 }).step;
      expect(next).toBe(state === 'spawned' || state === 'executing' ? 'stop' : 'nothing');
    },
  );

  test('gets a longer grace period, never a shorter one, if the clock is set back', () => {
    expect(step({ worker: SPENT, askedToStopAt: NOW + MINUTE }).step).toBe('wait');
  });
});

test('every spending step explains the amounts and states what would change the decision', () => {
  for (const given of [{}, { worker: SPENT }, { worker: SPENT, askedToStopAt: 0 }, { idleTurns: 3 }]) {
    const { why, wouldChange, evidence } = step(given);
    expect([why, wouldChange].every((text) => text.endsWith('.'))).toBe(true);
    expect(evidence).toHaveLength(4);
  }
});

test('refuses to start a worker only if a budget is used up', () => {
  const issue = used({ usd: 5 });
  expect(explainSpentBudget({ worker: used({ tokens: 999 }), issue: NO_SPENDING }, BUDGETS)).toBeUndefined();
  expect(explainSpentBudget({ worker: NO_SPENDING, issue }, BUDGETS)).toBe(
    'A budget is used up: $5.00 of $5.00 used by all workers of the issue.',
  );
});
