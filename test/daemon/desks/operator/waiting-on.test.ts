import { expect, test } from 'vitest';
import { emptySwarm } from '../../../../src/core/state/state.ts';
import { waitingOn } from '../../../../src/daemon/services/operator/waiting-on.ts';
import { countCalls } from '../../../support/count-calls.ts';

const DECISION = { reason: 'no_capacity', mode: 'plan', evidence: [] } as const;

test.each([
  [[], 0],
  [['legion-paused'], 1],
])('an issue with the labels %j is explained %i times', async (labels, times) => {
  const look = () => waitingOn(emptySwarm(), { id: 'DEMO-1', labels }, DECISION);
  expect(await countCalls('src/swarm/explain-wait.ts', 'explainWait', look)).toBe(times);
});
