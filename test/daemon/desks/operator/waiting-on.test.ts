import { expect, test } from 'vitest';
import { waitingOn } from '../../../../src/daemon/desks/operator/waiting-on.ts';
import { emptySwarm } from '../../../../src/swarm/state.ts';
import { countCalls } from '../../../count-calls.ts';

const DECISION = { reason: 'no_capacity', mode: 'plan', evidence: [] } as const;

test.each([
  [[], 0],
  [['legion-paused'], 1],
])('an issue with the labels %j is explained %i times', async (labels, times) => {
  const look = () => waitingOn(emptySwarm(), { id: 'DEMO-1', labels }, DECISION);
  expect(await countCalls('src/swarm/explain-wait.ts', 'explainWait', look)).toBe(times);
});
