import { expect, test } from 'vitest';
import { createLegionState } from '../../../../src/core/state/state.ts';
import { findPersonWaits } from '../../../../src/daemon/services/operator/waiting-on.ts';
import { countCalls } from '../../../support/count-calls.ts';

const DECISION = { reason: 'no_capacity', mode: 'plan', evidence: [] } as const;

test.each([
  [[], 0],
  [['legion-paused'], 1],
])('for an issue with the labels %j, the explanation is computed %i times', async (labels, times) => {
  const look = () => findPersonWaits(createLegionState(), { id: 'DEMO-1', labels }, DECISION);
  expect(await countCalls('src/core/state/explain-wait.ts', 'explainWait', look)).toBe(times);
});
